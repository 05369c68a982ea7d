import { gather, readByKeys, readLength, readPages } from "../../store/bounded-reads.ts";
import type { NewRow, RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type { Federation } from "./federation.ts";

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

/** The columns by which robots of a namespace are sorted. */
export type RobotSortKey = Pick<RobotRow, "id" | "username" | "short_name" | "last_accessed_at">;

/** The sort keys of all robots of a namespace, in order: the last used first, those that were never used at the end, by name. */
export async function listRobotSortKeys(db: RegistryDb, ownerId: string): Promise<readonly RobotSortKey[]> {
  const places = await gather(
    readPages<RobotSortKey>((after) =>
      db
        .selectFrom("robot")
        .crossJoin("account") // the accounts of the robots, in the order of the robots
        .select(["account.id", "account.username", "account.last_accessed_at", "robot.short_name"])
        .whereRef("account.id", "=", "robot.account_id")
        .where("robot.owner_id", "=", ownerId)
        .where("robot.short_name", ">", after?.short_name ?? "")
        .orderBy("robot.short_name")
        .limit(readLength)
        .execute(),
    ),
  );
  return [...places].sort(compareRobots);
}

/** Orders two robots as lists do. */
export function compareRobots(
  a: Pick<RobotSortKey, "username" | "last_accessed_at">,
  b: Pick<RobotSortKey, "username" | "last_accessed_at">,
): number {
  if (a.last_accessed_at !== b.last_accessed_at) {
    return (b.last_accessed_at ?? Number.NEGATIVE_INFINITY) - (a.last_accessed_at ?? Number.NEGATIVE_INFINITY);
  }
  if (a.username === b.username) return 0;
  return a.username < b.username ? -1 : 1;
}

/** Some robots of a namespace, by their ids. */
export async function findRobots(
  db: RegistryDb,
  ownerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RobotRow>> {
  const pages = readByKeys<RobotRow>(ids, async (some, after) =>
    after === undefined ? robotsOf(db, ownerId).where("robot.account_id", "in", some).execute() : [],
  );
  return new Map((await gather(pages)).map((robot) => [robot.id, robot]));
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

/** Whether a mirror of a repository or of an organization uses a robot. Mirrors of deleted repositories do not count. */
export async function isMirrorRobot(db: RegistryDb, robotId: string): Promise<boolean> {
  const mirror = await db
    .selectFrom("repository_mirror")
    .innerJoin("image_repository", "image_repository.id", "repository_mirror.repository_id")
    .select("repository_mirror.repository_id")
    .where("repository_mirror.robot_id", "=", robotId)
    .where("image_repository.state", "!=", "deleted")
    .executeTakeFirst();
  return mirror !== undefined || (await isOrganizationMirrorRobot(db, robotId));
}

async function isOrganizationMirrorRobot(db: RegistryDb, robotId: string): Promise<boolean> {
  const mirrors = db.selectFrom("organization_mirror").select("organization_id").where("robot_id", "=", robotId);
  return (await mirrors.executeTakeFirst()) !== undefined;
}

/** Stores a robot, whose account exists. */
export async function insertRobot(db: RegistryDb, robot: NewRow<"robot">): Promise<void> {
  await db.insertInto("robot").values(robot).execute();
}

/** Replaces the token of a robot; registry tokens that were made with the old one are no longer valid. */
export async function replaceToken(db: RegistryDb, id: string, token: RowChanges<"robot">): Promise<void> {
  await db.updateTable("robot").set(token).where("account_id", "=", id).execute();
  await db
    .updateTable("account")
    .set((eb) => ({ credential_version: eb("credential_version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Deletes a robot, and the mirrors of deleted repositories that used it. */
export async function removeRobot(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("repository_mirror").where("robot_id", "=", id).execute(); // of deleted repositories
  await db.deleteFrom("account").where("id", "=", id).execute();
}

/** The federations of a robot. */
export async function listFederations(db: RegistryDb, robotId: string): Promise<readonly Federation[]> {
  return db
    .selectFrom("robot_federation")
    .select(["issuer", "subject"])
    .where("robot_id", "=", robotId)
    .orderBy("issuer")
    .orderBy("subject")
    .limit(100) // there are no more than 50
    .execute();
}

/** Replaces the federations of a robot. Registry tokens that it has got before are no longer valid. */
export async function replaceFederations(
  db: RegistryDb,
  robotId: string,
  { federations, now }: { readonly federations: readonly Federation[]; readonly now: number },
): Promise<void> {
  await db.deleteFrom("robot_federation").where("robot_id", "=", robotId).execute();
  if (federations.length > 0) {
    const rows = federations.map((each) => ({ ...each, robot_id: robotId, created_at: now }));
    await db.insertInto("robot_federation").values(rows).execute();
  }
  await db
    .updateTable("account")
    .set((eb) => ({ credential_version: eb("credential_version", "+", 1) }))
    .where("id", "=", robotId)
    .execute();
}
