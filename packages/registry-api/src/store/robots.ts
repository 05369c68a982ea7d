import type { RepositoryRole } from "./tables/accounts.ts";
import type { RegistryDb } from "./tables/all.ts";
import type { Visibility } from "./tables/content.ts";

/** A robot as it is stored. */
export interface RobotRow {
  readonly id: string;
  readonly username: string;
  readonly short_name: string;
  readonly description: string;
  /** JSON object. */
  readonly metadata: string;
  readonly token_sealed: string;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
}

/** The robots of a namespace, the one that was used last first. */
export async function listRobots(db: RegistryDb, ownerId: string, limit?: number): Promise<readonly RobotRow[]> {
  const robots = robotsOf(db, ownerId)
    .orderBy("account.last_accessed_at", (order) => order.desc().nullsLast())
    .orderBy("account.username");
  return (limit === undefined ? robots : robots.limit(limit)).execute();
}

/** The robot of a namespace with that short name. */
export async function findRobot(db: RegistryDb, ownerId: string, shortName: string): Promise<RobotRow | undefined> {
  return robotsOf(db, ownerId).where("robot.short_name", "=", shortName).executeTakeFirst();
}

function robotsOf(db: RegistryDb, ownerId: string) {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .select(["account.id", "account.username", "account.created_at", "account.last_accessed_at"])
    .select(["robot.short_name", "robot.description", "robot.metadata", "robot.token_sealed"])
    .where("robot.owner_id", "=", ownerId);
}

/** A role of an account on a repository. */
export interface AccountGrant {
  readonly account_id: string;
  readonly repository: string;
  readonly visibility: Visibility;
  readonly role: RepositoryRole;
}

/** The roles on repositories that some accounts have themselves, not by their teams. */
export async function listGrants(db: RegistryDb, accountIds: readonly string[]): Promise<readonly AccountGrant[]> {
  if (accountIds.length === 0) return [];
  return db
    .selectFrom("account_permission")
    .innerJoin("image_repository", "image_repository.id", "account_permission.repository_id")
    .select(["account_permission.account_id", "account_permission.role"])
    .select(["image_repository.name as repository", "image_repository.visibility"])
    .where("account_permission.account_id", "in", accountIds)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("image_repository.name")
    .execute();
}

/** That an account is in a team. */
export interface TeamOfAccount {
  readonly account_id: string;
  readonly team_id: string;
  readonly name: string;
}

/** The teams that some accounts are in. */
export async function listTeamsOf(db: RegistryDb, accountIds: readonly string[]): Promise<readonly TeamOfAccount[]> {
  if (accountIds.length === 0) return [];
  return db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .select(["team_member.account_id", "team_member.team_id", "team.name"])
    .where("team_member.account_id", "in", accountIds)
    .orderBy("team.name")
    .execute();
}

/** Whether a mirror works as a robot. The mirrors of deleted repositories work no longer. */
export async function isMirrorRobot(db: RegistryDb, robotId: string): Promise<boolean> {
  const mirror = await db
    .selectFrom("repository_mirror")
    .innerJoin("image_repository", "image_repository.id", "repository_mirror.repository_id")
    .select("repository_mirror.repository_id")
    .where("repository_mirror.robot_id", "=", robotId)
    .where("image_repository.state", "!=", "deleted")
    .executeTakeFirst();
  return mirror !== undefined;
}
