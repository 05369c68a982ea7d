import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

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
