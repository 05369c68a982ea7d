import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../lists/list-pages.ts";
import { readLength, readPages } from "../store/bounded-reads.ts";
import type { GlobalMessageTable } from "../store/tables/administration.ts";
import type { NewRow, RegistryDb, RowChanges } from "../store/tables/all.ts";

/** Owners can see their expired tokens for a day. */
const keptMs = 86_400_000;

/** Deletes sessions, codes, logout tokens and tokens that have expired. Tokens stay for a day, so that their owners see why they are refused. */
export async function deleteExpiredRows(db: RegistryDb, now: number): Promise<void> {
  for (const table of ["session", "oauth_code", "logout_token"] as const) {
    await db.deleteFrom(table).where("expires_at", "<=", now).execute();
  }
  for (const table of ["oauth_token", "app_token"] as const) {
    await db
      .deleteFrom(table)
      .where("expires_at", "<=", now - keptMs)
      .execute();
  }
  await db.deleteFrom("email_code").where("expires_at", "<=", now).where("confirmed_at", "is", null).execute();
}

/** Updates the stored size of the registry. */
export async function updateRegistrySize(db: RegistryDb, changes: RowChanges<"registry_size">): Promise<void> {
  await db.updateTable("registry_size").set(changes).where("id", "=", 1).execute();
}

/** The bytes of all stored blobs. */
export async function sumBlobs(db: RegistryDb, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const pages = readPages<{ readonly digest: string; readonly size_bytes: number }>((last) =>
    db
      .selectFrom("blob")
      .select(["digest", "size_bytes"])
      .where("digest", ">", last?.digest ?? "")
      .orderBy("digest")
      .limit(readLength)
      .execute(),
  );
  for await (const blobs of pages) {
    signal.throwIfAborted();
    for (const { size_bytes } of blobs) bytes += size_bytes;
  }
  return bytes;
}

/** The stored size of the registry. */
export function findRegistrySize(db: RegistryDb) {
  return db.selectFrom("registry_size").selectAll().executeTakeFirst();
}

/** Stores that a count of the registry's size is queued. */
export async function markSizeQueued(db: RegistryDb): Promise<void> {
  await db
    .insertInto("registry_size")
    .values({ id: 1, size_bytes: 0, last_ran: null, queued: 1, running: 0 })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ queued: 1 }))
    .execute();
}

/** A message as it is stored. */
export type GlobalMessageRow = Selectable<GlobalMessageTable>;

/** Some messages, the oldest first. */
export async function listGlobalMessages(
  db: RegistryDb,
  { after, limit }: ReadFrom<CreationKey>,
): Promise<readonly GlobalMessageRow[]> {
  return db
    .selectFrom("global_message")
    .selectAll()
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Stores a message. */
export async function insertGlobalMessage(db: RegistryDb, message: NewRow<"global_message">): Promise<void> {
  await db.insertInto("global_message").values(message).execute();
}

/** Deletes a message. @returns false if there is none */
export async function removeGlobalMessage(db: RegistryDb, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("global_message").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
