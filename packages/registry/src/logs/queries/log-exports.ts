import { sql } from "kysely";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";

/** An export as it is stored. */
type LogExportRow = Row<"log_export">;

/** Stores an export, unless it is stored already. */
export async function insertLogExport(db: RegistryDb, row: NewRow<"log_export">): Promise<void> {
  await db
    .insertInto("log_export")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** An export by its id. */
export function findLogExport(db: RegistryDb, id: string): Promise<LogExportRow | undefined> {
  return db.selectFrom("log_export").selectAll().where("id", "=", id).executeTakeFirst();
}

/** An export by the hash of the last segment of its link, until the link expires. */
export function findLogExportFile(db: RegistryDb, fileHash: string, now: number): Promise<LogExportRow | undefined> {
  const found = db.selectFrom("log_export").selectAll().where("file_hash", "=", fileHash);
  return found.where("expires_at", ">", now).executeTakeFirst();
}

/** An export, and the hash of the last segment of its link. */
export interface LinkedExport {
  readonly id: string;
  readonly fileHash: string;
}

/** Ends a link. @returns false if it has ended already */
export async function endExportLink(db: RegistryDb, { id, fileHash }: LinkedExport): Promise<boolean> {
  const ended = await db
    .updateTable("log_export")
    .set({ file_hash: null })
    .where("id", "=", id)
    .where("file_hash", "=", fileHash)
    .returning("id")
    .executeTakeFirst();
  return ended !== undefined;
}

/** Makes an ended link valid again, unless the export has got another link. */
export async function reopenExportLink(db: RegistryDb, { id, fileHash }: LinkedExport): Promise<void> {
  await db
    .updateTable("log_export")
    .set({ file_hash: fileHash })
    .where("id", "=", id)
    .where("file_hash", "is", null)
    .execute();
}

/** Changes an export. */
export async function updateLogExport(db: RegistryDb, id: string, changes: RowChanges<"log_export">): Promise<void> {
  await db.updateTable("log_export").set(changes).where("id", "=", id).execute();
}

/** Some exports whose links have expired. */
export function listExpiredExports(db: RegistryDb, now: number): Promise<readonly LogExportRow[]> {
  return db
    .selectFrom("log_export")
    .selectAll()
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(100)
    .execute();
}

/** Deletes an export. */
export async function deleteLogExport(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("log_export").where("id", "=", id).execute();
}

/** The names of the namespace and the repository of a log; null for one that is deleted or was not requested. */
export async function findLogNames(
  db: RegistryDb,
  { namespaceId, repositoryId }: { readonly namespaceId: string | null; readonly repositoryId: string | null },
): Promise<{ readonly namespace: string | null; readonly repository: string | null }> {
  const namespace = db
    .selectFrom("account")
    .select("username")
    .where("id", "=", namespaceId ?? "");
  const repository = db
    .selectFrom("image_repository")
    .select("name")
    .where("id", "=", repositoryId ?? "");
  return {
    namespace: (await namespace.executeTakeFirst())?.username ?? null,
    repository: (await repository.executeTakeFirst())?.name ?? null,
  };
}

/** A part of the usage log in the blob store. */
export type LogArchiveRow = Row<"log_archive">;

/** An entry as it was stored. */
export type StoredLogEntry = Row<"usage_log">;

/** Where a part of the usage log begins and ends: both entries belong to it. */
type LogRange = Pick<LogArchiveRow, "from_at" | "from_id" | "until_at" | "until_id">;

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
