import { sql } from "kysely";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

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
