import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import { inChunks } from "../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { findCollected, findKept, noteImages, removeCollected, requeueScans } from "./queries/scans.ts";

/** Stores that the scanner may have a report of an image, which was deleted while it was scanned. */
export function noteLateScan(db: RegistryDb, digest: Digest): Promise<void> {
  return noteImages(db, [digest]);
}

/** Stores that the scanner may have reports of those of some images that no repository has. */
export async function noteGoneImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  for (const some of inChunks(digests)) {
    const kept = await findKept(db, some);
    const gone = some.filter((digest) => !kept.has(digest));
    if (gone.length > 0) await noteImages(db, gone);
  }
}

/** What {@link deleteReports} needs. */
export interface DeleteReportsOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly clock: Clock;
}

/**
 * Deletes the scanner's reports of collected images that no repository has any more. An image that is pushed again in the meantime is
 * scanned again. Can be stopped and started again at any moment.
 * @returns how many images' reports were deleted
 */
export async function deleteReports(
  { store, scanner, clock }: DeleteReportsOptions,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (let page = await findCollected(store.db); page.length > 0; page = await findCollected(store.db)) {
    signal.throwIfAborted();
    const kept = await findKept(store.db, page);
    const gone = page.filter((digest) => !kept.has(digest));
    if (gone.length > 0) {
      await scanner.delete(gone.map(parseDigest), { signal });
      await requeueScans(store.db, gone, clock.now());
    }
    await removeCollected(store.db, page);
    deleted += gone.length;
  }
  return deleted;
}
