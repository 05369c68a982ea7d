import type { AccountRow } from "./accounts.ts";
import { inChunks } from "./chunks.ts";
import type { RegistryDb } from "./tables/all.ts";

/** Which of some accounts belong to an organization: the members of its teams and its robots. */
export async function findOrganizationMembers(
  db: RegistryDb,
  organizationId: string,
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const ids of inChunks([...new Set(accountIds)])) {
    for (const { account_id } of await listMembersAmong(db, organizationId, ids)) found.add(account_id);
    for (const { account_id } of await listRobotsAmong(db, organizationId, ids)) found.add(account_id);
  }
  return found;
}

/** Asked so that the accounts are looked up, of which there are few, and not the members of the organization. */
async function listMembersAmong(db: RegistryDb, organizationId: string, accountIds: readonly string[]) {
  return db
    .selectFrom("team_member")
    .select("team_member.account_id")
    .where("team_member.account_id", "in", accountIds)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("team")
          .select("team.id")
          .whereRef("team.id", "=", "team_member.team_id")
          .where("team.organization_id", "=", organizationId),
      ),
    )
    .execute();
}

/** The accounts are looked up, and not the robots of the organization. */
async function listRobotsAmong(db: RegistryDb, organizationId: string, accountIds: readonly string[]) {
  const robots = db.selectFrom("robot").select(["account_id", "owner_id"]).where("account_id", "in", accountIds);
  return (await robots.execute()).filter(({ owner_id }) => owner_id === organizationId);
}

/** The account of that name if it can be granted something in a namespace: a user, or a robot of the namespace. */
export async function findGrantee(db: RegistryDb, namespaceId: string, username: string) {
  return db
    .selectFrom("account")
    .leftJoin("robot", "robot.account_id", "account.id")
    .selectAll("account")
    .where("account.username", "=", username)
    .where((where) => where.or([where("account.kind", "=", "user"), where("robot.owner_id", "=", namespaceId)]))
    .executeTakeFirst();
}

/** The users in teams of an organization, or those in none who have roles on its repositories; by name. */
export async function listUsersOf(
  db: RegistryDb,
  organizationId: string,
  relation: "members" | "collaborators",
): Promise<readonly Pick<AccountRow, "id" | "kind" | "username" | "email">[]> {
  const members = db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select("team_member.account_id")
    .where("team.organization_id", "=", organizationId);
  const users = db
    .selectFrom("account")
    .select(["id", "kind", "username", "email"])
    .where("kind", "=", "user")
    .orderBy("username");
  if (relation === "members") return users.where("id", "in", members).execute();
  const granted = db
    .selectFrom("account_permission")
    .innerJoin("image_repository", "image_repository.id", "account_permission.repository_id")
    .select("account_permission.account_id")
    .where("image_repository.namespace_id", "=", organizationId)
    .where("image_repository.state", "!=", "deleted");
  return users.where("id", "in", granted).where("id", "not in", members).execute();
}
