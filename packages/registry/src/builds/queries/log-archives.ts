import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";
import { unfinished } from "../queries.ts";

/** The archive of a build's log in the blob store; with `state` "writing", its file may be missing. */
export type BuildLogArchiveRow = Row<"build_log_archive">;

/** How many builds one statement reads. On SQLite, every other statement waits for it. */
const buildsAtOnce = 500;

/** A page of builds, ordered by id; `hasLog` says whether a build was requested before an instant, has ended and has a log in the database. */
export function listBuildsWithLogs(
  db: RegistryDb,
  { after, before }: { readonly after: string; readonly before: number },
) {
  return db
    .selectFrom("build")
    .select("id")
    .select(({ and, eb, exists, selectFrom }) =>
      and([
        eb("created_at", "<", before),
        eb("phase", "not in", unfinished),
        exists(selectFrom("build_log").select("position").whereRef("build_log.build_id", "=", "build.id")),
      ]).as("hasLog"),
    )
    .where("id", ">", after)
    .orderBy("id")
    .limit(buildsAtOnce)
    .execute();
}

/** All entries of a build's log, in order. */
export function listLogEntries(db: RegistryDb, buildId: string): Promise<readonly { readonly entry: string }[]> {
  return db.selectFrom("build_log").select("entry").where("build_id", "=", buildId).orderBy("position").execute();
}

/** The archive of a build, finished or not. */
export function findLogArchive(db: RegistryDb, buildId: string): Promise<BuildLogArchiveRow | undefined> {
  return db.selectFrom("build_log_archive").selectAll().where("build_id", "=", buildId).executeTakeFirst();
}

/** Inserts an archive before its file is written. @returns false if the build is gone */
export async function insertLogArchive(
  db: RegistryDb,
  { build_id, ...archive }: NewRow<"build_log_archive"> & { readonly build_id: string },
): Promise<boolean> {
  const build = await db.selectFrom("build").select("id").where("id", "=", build_id).executeTakeFirst();
  if (build === undefined) return false;
  await db
    .insertInto("build_log_archive")
    .values({ build_id, ...archive })
    .execute();
  return true;
}

/** Marks an archive as complete and deletes the entries of its log, unless its build is gone. Must run in a transaction. */
export async function finishLogArchive(db: RegistryDb, id: string, buildId: string): Promise<void> {
  const finished = await db
    .updateTable("build_log_archive")
    .set({ state: "archived" })
    .where("id", "=", id)
    .where("build_id", "=", buildId)
    .returning("id")
    .executeTakeFirst();
  if (finished !== undefined) await db.deleteFrom("build_log").where("build_id", "=", buildId).execute();
}

/** Detaches an archive from its build, so that its file is deleted later. */
export async function orphanLogArchive(db: RegistryDb, id: string): Promise<void> {
  await db.updateTable("build_log_archive").set({ build_id: null }).where("id", "=", id).execute();
}

/** Up to `limit` archives without a build. */
export function listOrphanedArchives(db: RegistryDb, limit: number): Promise<readonly BuildLogArchiveRow[]> {
  return db.selectFrom("build_log_archive").selectAll().where("build_id", "is", null).limit(limit).execute();
}

/** Removes the row of an archive whose file is deleted. */
export async function deleteLogArchive(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("build_log_archive").where("id", "=", id).execute();
}
