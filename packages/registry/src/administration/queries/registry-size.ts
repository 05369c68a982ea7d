import { readLength, readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb, RowChanges } from "../../store/tables/all.ts";

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
