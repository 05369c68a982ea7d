import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { AccountRow, TeamRow } from "../../../access/queries.ts";
import type { ReadFrom } from "../../../lists/list-pages.ts";
import { gather, readLength, readPages } from "../../../store/bounded-reads.ts";
import type { TeamRole } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../../store/tables/all.ts";

/** A team with the number of its members and repositories, and whether a given account is a member. */
export interface TeamSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly role: TeamRole;
  /** The number of repositories on which it has a role. */
  readonly repositories: number;
  readonly members: number;
  readonly isSynced: boolean;
  /** Whether that account is a member. */
  readonly isOwn: boolean;
}

/** The teams of an organization, the oldest first. */
export async function listTeams(
  db: RegistryDb,
  organizationId: string,
  accountId: string | undefined,
): Promise<readonly TeamSummary[]> {
  const rows = await listSummaries(db, { organizationId, accountId: accountId ?? "" });
  return rows.map(({ service, account_id, grants, deleted, members, ...team }) => ({
    ...team,
    repositories: Number(grants) - Number(deleted),
    members: Number(members),
    isSynced: service !== null,
    isOwn: account_id !== null,
  }));
}

const listSummaries = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ organizationId: string; accountId: string }>) =>
    db
      .selectFrom("team")
      .leftJoin("team_sync", "team_sync.team_id", "team.id")
      .leftJoin("team_member as own", (on) =>
        on.onRef("own.team_id", "=", "team.id").on("own.account_id", "=", parameter("accountId")),
      )
      .select(["team.id", "team.name", "team.description", "team.role", "team_sync.service", "own.account_id"])
      .select((team) => [
        team
          .selectFrom("team_permission")
          .select((each) => each.fn.countAll<number>().as("count"))
          .whereRef("team_permission.team_id", "=", "team.id")
          .as("grants"),
        team
          .selectFrom("team_permission")
          .select((each) => each.fn.countAll<number>().as("count"))
          .whereRef("team_permission.team_id", "=", "team.id")
          .where("team_permission.repository_id", "in", (of) =>
            of.selectFrom("image_repository").select("id").where("state", "=", sql.lit("deleted")),
          ) // deleted repositories are few, and have an index of their own
          .as("deleted"),
        team
          .selectFrom("team_member")
          .select((each) => each.fn.countAll<number>().as("count"))
          .whereRef("team_member.team_id", "=", "team.id")
          .as("members"),
      ])
      .where("team.organization_id", "=", parameter("organizationId"))
      .orderBy("team.created_at")
      .orderBy("team.name"),
);

/** Adds an account to a team. @returns false if it is a member already */
export async function addToTeam(db: RegistryDb, teamId: string, accountId: string): Promise<boolean> {
  const added = await db
    .insertInto("team_member")
    .values({ team_id: teamId, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .returning("account_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Removes an account from a team. @returns false when it was not a member */
export async function removeFromTeam(db: RegistryDb, teamId: string, accountId: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("team_member")
    .where("team_id", "=", teamId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** An account in a team. */
type TeamMemberRow = Pick<AccountRow, "id" | "kind" | "username" | "email">;

/** Some accounts in a team, by their ids. */
export async function listTeamMembers(
  db: RegistryDb,
  teamId: string,
  { after: [id], limit }: ReadFrom<readonly [accountId: string]>,
): Promise<readonly TeamMemberRow[]> {
  return db
    .selectFrom("team_member")
    .crossJoin("account") // the accounts of the members, in the order of the members
    .select(["account.id", "account.kind", "account.username", "account.email"])
    .whereRef("account.id", "=", "team_member.account_id")
    .where("team_member.team_id", "=", teamId)
    .where("team_member.account_id", ">", id)
    .orderBy("team_member.account_id")
    .limit(limit)
    .execute();
}

/** All accounts in a team, by name. */
export async function gatherTeamMembers(db: RegistryDb, teamId: string): Promise<readonly TeamMemberRow[]> {
  const pages = readPages<TeamMemberRow>((last) =>
    listTeamMembers(db, teamId, { after: [last?.id ?? ""], limit: readLength }),
  );
  return [...(await gather(pages))].sort((a, b) => (a.username < b.username ? -1 : 1));
}

/** The synchronization of a team; undefined if it is not synchronized. */
export async function findTeamSync(db: RegistryDb, teamId: string) {
  return db.selectFrom("team_sync").selectAll().where("team_id", "=", teamId).executeTakeFirst();
}

/** Some roles of a team on repositories, by the ids of the repositories. */
export async function listRolesOfTeam(
  db: RegistryDb,
  teamId: string,
  { after: [id], limit }: ReadFrom<readonly [repositoryId: string]>,
) {
  return db
    .selectFrom("team_permission")
    .crossJoin("image_repository") // the repositories of the roles, in the order of the roles
    .select(["image_repository.id", "image_repository.name as repository", "image_repository.visibility"])
    .select("team_permission.role")
    .whereRef("image_repository.id", "=", "team_permission.repository_id")
    .where("team_permission.team_id", "=", teamId)
    .where("team_permission.repository_id", ">", id)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("team_permission.repository_id")
    .limit(limit)
    .execute();
}

/** Stores a team. @returns undefined if the organization has a team of that name */
export async function insertTeam(db: RegistryDb, team: NewRow<"team">): Promise<TeamRow | undefined> {
  return db
    .insertInto("team")
    .values(team)
    .onConflict((conflict) => conflict.columns(["organization_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Changes a team. */
export async function updateTeam(db: RegistryDb, id: string, changes: RowChanges<"team">): Promise<void> {
  await db.updateTable("team").set(changes).where("id", "=", id).execute();
}

/** Deletes a team, and the notifications about invites to it. */
export async function removeTeam(db: RegistryDb, id: string): Promise<void> {
  await db
    .deleteFrom("user_notification")
    .where("id", "in", (of) => of.selectFrom("team_invite").select("id").where("team_id", "=", id))
    .execute();
  await db.deleteFrom("team").where("id", "=", id).execute();
}

/** A team that is synchronized with a directory. */
export interface SyncedTeam {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string;
  /** JSON object. */
  readonly config: string;
  /** When its group was last found, in epoch milliseconds; null if never. */
  readonly synced_at: number | null;
}

/** The teams that are synchronized with a directory, and were last synchronized before a time. */
export async function listTeamsToSync(
  db: RegistryDb,
  { service, before }: { readonly service: string; readonly before: number },
): Promise<readonly SyncedTeam[]> {
  return db
    .selectFrom("team_sync")
    .innerJoin("team", "team.id", "team_sync.team_id")
    .select(["team.id", "team.name", "team.organization_id", "team_sync.config", "team_sync.synced_at"])
    .where("team_sync.service", "=", service)
    .where((where) => where.or([where("team_sync.synced_at", "is", null), where("team_sync.synced_at", "<=", before)]))
    .orderBy("team.id")
    .execute();
}

/** A team that is synchronized with groups of an identity provider, and whether a user is in it. */
export interface GroupTeam extends SyncedTeam {
  /** The user's id; null if they are not in the team. */
  readonly member_id: string | null;
}

/** The teams that are synchronized with groups of an identity provider, with a user's membership of each. */
export async function listGroupTeams(
  db: RegistryDb,
  service: string,
  accountId: string,
): Promise<readonly GroupTeam[]> {
  return db
    .selectFrom("team_sync")
    .innerJoin("team", "team.id", "team_sync.team_id")
    .leftJoin("team_member", (join) =>
      join.onRef("team_member.team_id", "=", "team.id").on("team_member.account_id", "=", accountId),
    )
    .select(["team.id", "team.name", "team.organization_id", "team_sync.config", "team_sync.synced_at"])
    .select("team_member.account_id as member_id")
    .where("team_sync.service", "=", service)
    .orderBy("team.id")
    .execute();
}

/** Stores the time at which a team was synchronized. */
export async function markSynced(db: RegistryDb, teamId: string, now: number): Promise<void> {
  await db.updateTable("team_sync").set({ synced_at: now }).where("team_id", "=", teamId).execute();
}

/** Stores that a team is synchronized. @returns false if it is synchronized already */
export async function insertTeamSync(db: RegistryDb, sync: NewRow<"team_sync">): Promise<boolean> {
  const enabled = await db
    .insertInto("team_sync")
    .values(sync)
    .onConflict((conflict) => conflict.doNothing())
    .returning("team_id")
    .executeTakeFirst();
  return enabled !== undefined;
}

/** Ends the synchronization of a team. @returns false if it was not synchronized */
export async function deleteTeamSync(db: RegistryDb, teamId: string): Promise<boolean> {
  const disabled = await db.deleteFrom("team_sync").where("team_id", "=", teamId).executeTakeFirst();
  return disabled.numDeletedRows > 0n;
}
