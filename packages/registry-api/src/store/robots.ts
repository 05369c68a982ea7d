import type { RegistryDb } from "./tables/all.ts";

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
