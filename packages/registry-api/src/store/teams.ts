import type { Selectable } from "kysely";
import type { TeamRole, TeamTable } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";

/** A team as it is stored. */
export type TeamRow = Selectable<TeamTable>;

/** A team, how much it has, and whether somebody is in it. */
export interface TeamSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly role: TeamRole;
  /** How many repositories it has a role on. */
  readonly repositories: number;
  readonly members: number;
  readonly isSynced: boolean;
  /** Whether the account that was asked for is in it. */
  readonly isOwn: boolean;
}

/** The teams of an organization, the oldest first. */
export async function listTeams(
  db: RegistryDb,
  organizationId: string,
  accountId: string | undefined,
): Promise<readonly TeamSummary[]> {
  const rows = await db
    .selectFrom("team")
    .leftJoin("team_sync", "team_sync.team_id", "team.id")
    .leftJoin("team_member as own", (on) =>
      on.onRef("own.team_id", "=", "team.id").on("own.account_id", "=", accountId ?? ""),
    )
    .select(["team.id", "team.name", "team.description", "team.role", "team_sync.service", "own.account_id"])
    .select((team) => [
      team
        .selectFrom("team_permission")
        .innerJoin("image_repository", "image_repository.id", "team_permission.repository_id")
        .select((each) => each.fn.countAll<number>().as("count"))
        .whereRef("team_permission.team_id", "=", "team.id")
        .where("image_repository.state", "!=", "deleted")
        .as("repositories"),
      team
        .selectFrom("team_member")
        .select((each) => each.fn.countAll<number>().as("count"))
        .whereRef("team_member.team_id", "=", "team.id")
        .as("members"),
    ])
    .where("team.organization_id", "=", organizationId)
    .orderBy("team.created_at")
    .orderBy("team.name")
    .execute();
  return rows.map(({ service, account_id, repositories, members, ...team }) => ({
    ...team,
    repositories: Number(repositories),
    members: Number(members),
    isSynced: service !== null,
    isOwn: account_id !== null,
  }));
}

/** The team of that name in an organization. */
export async function findTeam(db: RegistryDb, organizationId: string, name: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom("team")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("name", "=", name)
    .executeTakeFirst();
}
