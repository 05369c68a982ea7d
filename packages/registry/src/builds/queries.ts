import { type Selectable, sql } from "kysely";
import { notInList } from "../errors.ts";
import type { NewRow, RegistryDb } from "../store/tables/all.ts";
import type { BuildTable } from "../store/tables/builds.ts";

/** A build with the names of its namespace, repository, user and robot. */
export interface BuildRow extends Selectable<BuildTable> {
  readonly namespace: string;
  readonly repository_name: string;
  readonly manual_user: string | null;
  readonly pull_robot: string | null;
}

/** The repository of a build. */
interface BuiltRepository {
  readonly id: string;
}

/** The builds of a repository, the newest first. @param page.since epoch seconds */
export function listBuilds(
  db: RegistryDb,
  { id }: BuiltRepository,
  page: { readonly limit: number; readonly since: number },
): Promise<readonly BuildRow[]> {
  return builds(db)
    .where("build.repository_id", "=", id)
    .where("build.created_at", ">=", page.since * 1000)
    .orderBy("build.created_at", "desc")
    .orderBy("build.id")
    .limit(page.limit)
    .execute();
}

/** A build of the given repository, or of any. */
export async function findBuild(
  db: RegistryDb,
  buildId: string,
  repository?: BuiltRepository,
): Promise<BuildRow | undefined> {
  return builds(db)
    .where("build.id", "=", buildId)
    .$if(repository !== undefined, (query) => query.where("build.repository_id", "=", repository?.id ?? ""))
    .executeTakeFirst();
}

/** @throws RegistryError `not_found` */
export async function getBuild(db: RegistryDb, buildId: string, repository?: BuiltRepository): Promise<BuildRow> {
  const build = await findBuild(db, buildId, repository);
  if (build === undefined) throw notInList("There is no build with that id");
  return build;
}

function builds(db: RegistryDb) {
  return db
    .selectFrom("build")
    .innerJoin("image_repository", "image_repository.id", "build.repository_id")
    .innerJoin("account as namespace", "namespace.id", "image_repository.namespace_id")
    .leftJoin("account as asker", "asker.id", "build.manual_account_id")
    .leftJoin("account as robot", "robot.id", "build.pull_robot_id")
    .selectAll("build")
    .select(["image_repository.name as repository_name", "namespace.username as namespace"])
    .select(["asker.username as manual_user", "robot.username as pull_robot"]);
}

/** How many entries a build's log has in the database. */
export async function countLogEntries(db: RegistryDb, buildId: string): Promise<number> {
  const { total } = await db
    .selectFrom("build_log")
    .select(sql<number>`count(*)`.as("total"))
    .where("build_id", "=", buildId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Up to `limit` entries of a build's log in the database from the position `start` on, as JSON texts. */
export async function readLogEntries(
  db: RegistryDb,
  buildId: string,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("build_log")
    .select("entry")
    .where("build_id", "=", buildId)
    .where("position", ">=", start)
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map(({ entry }) => entry);
}

/** Stores a build. */
export async function insertBuild(db: RegistryDb, build: NewRow<"build">): Promise<void> {
  await db.insertInto("build").values(build).execute();
}

/** How many builds of a namespace wait or run that were requested after an instant. */
export async function countUnfinished(db: RegistryDb, namespaceId: string, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("build")
    .innerJoin("image_repository", "image_repository.id", "build.repository_id")
    .select(sql<number>`count(*)`.as("count"))
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("build.phase", "in", unfinished)
    .where("build.created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The phases of builds that wait or run. */
export const unfinished = [
  "waiting",
  "build-scheduled",
  "unpacking",
  "pulling",
  "building",
  "pushing",
] as const satisfies readonly BuildTable["phase"][];

/** Assigns a build to an attempt, identified by the hash of its secret. @returns false if the build has ended */
export async function beginAttempt(
  db: RegistryDb,
  id: string,
  token: { readonly hash: string; readonly expiresAt: number },
): Promise<boolean> {
  const changed = await db
    .updateTable("build")
    .set({ phase: "build-scheduled", token_hash: token.hash, token_expires_at: token.expiresAt })
    .where("id", "=", id)
    .where("phase", "in", unfinished)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Changes the build of an attempt. @returns false if the build was cancelled, or another attempt has it */
export async function changeBuild(
  db: RegistryDb,
  attempt: { readonly id: string; readonly tokenHash: string },
  change: Partial<Pick<NewRow<"build">, "phase" | "error" | "token_hash" | "manifest_digest">>,
): Promise<boolean> {
  const changed = await db
    .updateTable("build")
    .set(change)
    .where("id", "=", attempt.id)
    .where("token_hash", "=", attempt.tokenHash)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Ends a build that waits or runs, regardless of its attempt. @returns false if it has ended before */
export async function endUnfinished(
  db: RegistryDb,
  id: string,
  end: { readonly phase: "internalerror" | "expired"; readonly error: string },
): Promise<boolean> {
  const changed = await db
    .updateTable("build")
    .set({ ...end, token_hash: null })
    .where("id", "=", id)
    .where("phase", "in", unfinished)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** The running build with that secret. */
export function findBuildOfToken(db: RegistryDb, tokenHash: string, now: number) {
  return runningBuilds(db, now).where("build.token_hash", "=", tokenHash).executeTakeFirst();
}

/** A build that runs: its secret is valid. */
export function findRunningBuild(db: RegistryDb, id: string, now: number) {
  return runningBuilds(db, now).where("build.id", "=", id).executeTakeFirst();
}

function runningBuilds(db: RegistryDb, now: number) {
  return db
    .selectFrom("build")
    .innerJoin("image_repository", "image_repository.id", "build.repository_id")
    .innerJoin("account as namespace", "namespace.id", "image_repository.namespace_id")
    .select(["build.id", "build.repository_id"])
    .where("build.token_hash", "is not", null)
    .where("build.token_expires_at", ">", now)
    .where("namespace.enabled", "=", 1);
}

/** The sealed token of a robot. */
export async function findRobotToken(db: RegistryDb, robotId: string) {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .select(["account.username", "robot.token_sealed"])
    .where("robot.account_id", "=", robotId)
    .executeTakeFirst();
}

/** The position of the next entry of a build's log. */
export async function endOfLog(db: RegistryDb, buildId: string): Promise<number> {
  const last = await db
    .selectFrom("build_log")
    .select("position")
    .where("build_id", "=", buildId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? 0 : last.position + 1;
}

/** Adds entries to a build's log. */
export async function insertLogEntries(db: RegistryDb, entries: readonly NewRow<"build_log">[]): Promise<void> {
  if (entries.length > 0) await db.insertInto("build_log").values(entries).execute();
}

/** The phases in which a build can still be stopped. */
export const cancellablePhases: readonly BuildTable["phase"][] = [
  "waiting",
  "build-scheduled",
  "unpacking",
  "pulling",
  "building",
];

/** Cancels a build that is in one of the phases. @returns false where it is in another */
export async function markCancelled(
  db: RegistryDb,
  build: { readonly id: string; readonly phases: readonly BuildTable["phase"][] },
): Promise<boolean> {
  const changed = await db
    .updateTable("build")
    .set({ phase: "cancelled", token_hash: null })
    .where("id", "=", build.id)
    .where("phase", "in", build.phases)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
