import { type Selectable, sql } from "kysely";
import { notFound } from "../errors.ts";
import type { NewRow, RegistryDb } from "../store/tables/all.ts";
import type { BuildTable } from "../store/tables/repositories.ts";

/** A build with the names of those it concerns. */
export interface BuildRow extends Selectable<BuildTable> {
  readonly namespace: string;
  readonly repository_name: string;
  readonly manual_user: string | null;
  readonly pull_robot: string | null;
}

/** A repository whose builds are meant. */
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

/** A build, of one repository or of any. */
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
  if (build === undefined) throw notFound();
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

/** So many entries of a log are given at a time. */
const maxEntries = 5000;

/** A stretch of a build's log, from an entry on; `total` is how many there are. */
export async function readBuildLog(db: RegistryDb, buildId: string, start: number) {
  const { total } = await db
    .selectFrom("build_log")
    .select(sql<number>`count(*)`.as("total"))
    .where("build_id", "=", buildId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom("build_log")
    .select("entry")
    .where("build_id", "=", buildId)
    .where("position", ">=", start)
    .orderBy("position")
    .limit(maxEntries)
    .execute();
  const logs = rows.map(({ entry }) => JSON.parse(entry) as Record<string, unknown>);
  return { start, total: Number(total), logs };
}

/** Stores a build. */
export async function insertBuild(db: RegistryDb, build: NewRow<"build">): Promise<void> {
  await db.insertInto("build").values(build).execute();
}

/** Cancels a build that is in one of the phases. @returns false where it is in another */
export async function markCancelled(
  db: RegistryDb,
  build: { readonly id: string; readonly phases: readonly BuildTable["phase"][] },
): Promise<boolean> {
  const changed = await db
    .updateTable("build")
    .set({ phase: "cancelled" })
    .where("id", "=", build.id)
    .where("phase", "in", build.phases)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
