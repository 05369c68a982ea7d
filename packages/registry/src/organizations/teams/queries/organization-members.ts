import { sql } from "kysely";
import type { AccountRow } from "../../../access/queries.ts";
import { gather, inChunks, readByKeys, readLength, readPages } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

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

/** Written so that the database searches by the given accounts, which are few, and not by the members of the organization. */
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

/** Searches by the given accounts, and not by the robots of the organization. */
async function listRobotsAmong(db: RegistryDb, organizationId: string, accountIds: readonly string[]) {
  const robots = db.selectFrom("robot").select(["account_id", "owner_id"]).where("account_id", "in", accountIds);
  return (await robots.execute()).filter(({ owner_id }) => owner_id === organizationId);
}

/** The account with a name, if roles in a namespace can be granted to it: a user, or a robot of the namespace. */
export async function findGrantee(db: RegistryDb, namespaceId: string, username: string) {
  return db
    .selectFrom("account")
    .leftJoin("robot", "robot.account_id", "account.id")
    .selectAll("account")
    .where("account.username", "=", username)
    .where((where) => where.or([where("account.kind", "=", "user"), where("robot.owner_id", "=", namespaceId)]))
    .executeTakeFirst();
}

/** A user as lists show them. */
export type ListedUser = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/**
 * The users in teams of an organization, or those in none who have roles on its repositories; by name. The ids are collected from
 * memberships and grants, whose number determines the cost, and then the users are read.
 */
export async function listUsersOf(
  db: RegistryDb,
  organizationId: string,
  relation: "members" | "collaborators",
): Promise<readonly ListedUser[]> {
  const members = await findTeamMembers(db, organizationId);
  const ids = relation === "members" ? members : await findGrantees(db, organizationId);
  if (relation === "collaborators") for (const id of members) ids.delete(id);
  const users = await gather(readByKeys<ListedUser>([...ids], (some, after) => readUsers(db, some, after)));
  return [...users].sort((a, b) => (a.username < b.username ? -1 : 1));
}

async function readUsers(db: RegistryDb, ids: readonly string[], after?: ListedUser): Promise<readonly ListedUser[]> {
  if (after !== undefined) return [];
  const users = db.selectFrom("account").select(["id", "kind", "username", "email"]).where("id", "in", ids);
  return (await users.execute()).filter(({ kind }) => kind === "user");
}

/** The accounts in teams of an organization. */
async function findTeamMembers(db: RegistryDb, organizationId: string): Promise<Set<string>> {
  const found = new Set<string>();
  const teams = readPages<{ readonly id: string; readonly name: string }>((after) =>
    db
      .selectFrom("team")
      .select(["id", "name"])
      .where("organization_id", "=", organizationId)
      .where("name", ">", after?.name ?? "")
      .orderBy("name")
      .limit(readLength)
      .execute(),
  );
  for await (const some of teams) {
    const members = readByKeys<{ readonly account_id: string }>(idsOf(some), (ids, after) =>
      db
        .selectFrom("team_member")
        .select("account_id")
        .where("team_id", "in", ids)
        .$if(after !== undefined, (rows) => rows.where("account_id", ">", after?.account_id ?? ""))
        .$if(ids.length === 1, (rows) => rows.orderBy("account_id"))
        .limit(readLength)
        .execute(),
    );
    for await (const rows of members) for (const { account_id } of rows) found.add(account_id);
  }
  return found;
}

/** The accounts with roles of their own on repositories of an organization. */
async function findGrantees(db: RegistryDb, organizationId: string): Promise<Set<string>> {
  const found = new Set<string>();
  const repositories = readPages<{ readonly id: string; readonly state: string }>((after) =>
    db
      .selectFrom("image_repository")
      .select(["id", "state"])
      .where("namespace_id", "=", organizationId)
      .where("id", ">", after?.id ?? "")
      .orderBy("id")
      .limit(readLength)
      .execute(),
  );
  for await (const some of repositories) {
    const existing = some.filter(({ state }) => state !== "deleted");
    const grants = readByKeys<{ readonly account_id: string }>(idsOf(existing), (ids, after) =>
      db
        .selectFrom("account_permission")
        .select("account_id")
        .where("repository_id", "in", ids)
        .$if(after !== undefined, (rows) => rows.where("account_id", ">", after?.account_id ?? ""))
        .$if(ids.length === 1, (rows) => rows.orderBy("account_id"))
        .limit(readLength)
        .execute(),
    );
    for await (const rows of grants) for (const { account_id } of rows) found.add(account_id);
  }
  return found;
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

/** The membership of a user in a team whose members administer the organization. */
export interface AdminMembership {
  readonly teamId: string;
  readonly accountId: string;
}

/** The administrators of an organization, with the teams through which they are. Robots are not administrators. */
export async function listAdminMemberships(
  db: RegistryDb,
  organizationId: string,
): Promise<readonly AdminMembership[]> {
  return db
    .selectFrom("team")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .innerJoin("account", "account.id", "team_member.account_id")
    .select(["team.id as teamId", "account.id as accountId"])
    .where("team.organization_id", "=", organizationId)
    .where("team.role", "=", "admin")
    .where("account.kind", "=", "user")
    .execute();
}

/** The id of the oldest team whose members administer an organization; undefined if there is none. */
export async function findAdminTeam(db: RegistryDb, organizationId: string): Promise<string | undefined> {
  const team = await db
    .selectFrom("team")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "admin")
    .orderBy("created_at")
    .orderBy("name")
    .limit(1)
    .executeTakeFirst();
  return team?.id;
}

/** The names of the organizations whose only administrator is the given user. */
export async function listSoleAdministered(db: RegistryDb, accountId: string): Promise<readonly string[]> {
  const administered = await db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select("team.organization_id")
    .where("team_member.account_id", "=", accountId)
    .where("team.role", "=", "admin")
    .execute();
  const names: string[] = [];
  for (const ids of inChunks([...new Set(administered.map(({ organization_id }) => organization_id))])) {
    for (const { username } of await listWithOneAdmin(db, ids)) names.push(username);
  }
  return names.sort();
}

/** Those of some organizations that have a single administrator. */
function listWithOneAdmin(db: RegistryDb, organizationIds: readonly string[]) {
  return db
    .selectFrom("team")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .innerJoin("account as member", "member.id", "team_member.account_id")
    .innerJoin("account as organization", "organization.id", "team.organization_id")
    .select("organization.username")
    .where("team.role", "=", "admin")
    .where("member.kind", "=", "user")
    .where("team.organization_id", "in", organizationIds)
    .groupBy("organization.username")
    .having(sql`count(distinct member.id)`, "=", 1)
    .execute();
}
