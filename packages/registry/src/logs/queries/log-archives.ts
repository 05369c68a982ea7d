import { sql } from "kysely";
import type { NewRow, RegistryDb, Row } from "../../store/tables/all.ts";

/** A part of the usage log in the blob store. */
export type LogArchiveRow = Row<"log_archive">;

/** An entry as it was stored. */
export type StoredLogEntry = Row<"usage_log">;

/** Where a part of the usage log begins and ends: both entries belong to it. */
export type LogRange = Pick<LogArchiveRow, "from_at" | "from_id" | "until_at" | "until_id">;

/** The oldest entries before an instant, in order. */
export function listOldEntries(db: RegistryDb, before: number, limit: number): Promise<readonly StoredLogEntry[]> {
  return db
    .selectFrom("usage_log")
    .selectAll()
    .where("at", "<", before)
    .orderBy("at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The entries of a part, in order. */
export function listEntriesIn(db: RegistryDb, range: LogRange): Promise<readonly StoredLogEntry[]> {
  const { from_at, from_id, until_at, until_id } = range;
  return db
    .selectFrom("usage_log")
    .selectAll()
    .where("at", ">=", from_at)
    .where("at", "<=", until_at)
    .where(sql<boolean>`(at, id) >= (${from_at}, ${from_id}) and (at, id) <= (${until_at}, ${until_id})`)
    .orderBy("at")
    .orderBy("id")
    .execute();
}

/** The part that a process began and has not finished. */
export function findUnfinishedArchive(db: RegistryDb): Promise<LogArchiveRow | undefined> {
  return db.selectFrom("log_archive").selectAll().where("state", "=", "writing").executeTakeFirst();
}

/** Stores the row of a part before its file is written. @returns false if another process has begun a part */
export async function insertArchive(db: RegistryDb, archive: NewRow<"log_archive">): Promise<boolean> {
  const added = db
    .insertInto("log_archive")
    .values(archive)
    .onConflict((conflict) => conflict.doNothing());
  return (await added.returning("id").executeTakeFirst()) !== undefined;
}

/** The entries of an unfinished part have changed since it was begun. */
export class LogEntriesChanged extends Error {
  override readonly name = "LogEntriesChanged";
}

/**
 * Marks a part as archived and deletes its entries, unless another process has done so. Must run in a transaction.
 * @throws LogEntriesChanged
 */
export async function finishArchive(db: RegistryDb, archive: LogArchiveRow): Promise<void> {
  const { id, from_at, from_id, until_at, until_id } = archive;
  const finished = await db
    .updateTable("log_archive")
    .set({ state: "archived" })
    .where("id", "=", id)
    .where("state", "=", "writing")
    .returning("id")
    .executeTakeFirst();
  if (finished === undefined) return;
  const { numDeletedRows } = await db
    .deleteFrom("usage_log")
    .where("at", ">=", from_at)
    .where("at", "<=", until_at)
    .where(sql<boolean>`(at, id) >= (${from_at}, ${from_id}) and (at, id) <= (${until_at}, ${until_id})`)
    .executeTakeFirst();
  if (Number(numDeletedRows) !== archive.entries) throw new LogEntriesChanged();
}

/** Deletes the row of an unfinished part. */
export async function discardArchive(db: RegistryDb, id: number): Promise<void> {
  await db.deleteFrom("log_archive").where("id", "=", id).where("state", "=", "writing").execute();
}

/** Some finished parts, the oldest first. */
export function listArchives(
  db: RegistryDb,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly LogArchiveRow[]> {
  return db
    .selectFrom("log_archive")
    .selectAll()
    .where("state", "=", "archived")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}
