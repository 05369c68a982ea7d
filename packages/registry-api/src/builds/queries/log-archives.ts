import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";
import { unfinished } from "../queries.ts";

/** The log of a build in the blob store, or on its way there. */
export type BuildLogArchiveRow = Row<"build_log_archive">;

/** So many builds are looked at in one statement: on SQLite every other statement waits for it. */
const buildsAtOnce = 500;

/** Builds by their ids, from behind one on, and whether each has ended before an instant with a log in the database. */
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

/** Enters an archive whose file is going to be written. @returns false where the build is gone */
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

/** Removes the entries of a log whose file is in the blob store, unless its build is gone. Must run in a transaction. */
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

/** Takes an archive from its build: its file is going to be deleted. */
export async function orphanLogArchive(db: RegistryDb, id: string): Promise<void> {
  await db.updateTable("build_log_archive").set({ build_id: null }).where("id", "=", id).execute();
}

/** Some archives whose builds are gone. */
export function listOrphanedArchives(db: RegistryDb, limit: number): Promise<readonly BuildLogArchiveRow[]> {
  return db.selectFrom("build_log_archive").selectAll().where("build_id", "is", null).limit(limit).execute();
}

/** Removes the row of an archive whose file is deleted. */
export async function deleteLogArchive(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("build_log_archive").where("id", "=", id).execute();
}
