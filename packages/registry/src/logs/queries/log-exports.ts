import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";

/** An export as it is stored. */
export type LogExportRow = Row<"log_export">;

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
