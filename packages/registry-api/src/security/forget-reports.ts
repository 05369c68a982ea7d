import { type Digest, parseDigest } from "@plimsoll/core";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import { inChunks } from "../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { findCollected, findKept, noteImages, readAgain, removeCollected } from "./queries/scans.ts";

/** Notes the same of an image that was read while it was collected. */
export function noteReadTooLate(db: RegistryDb, digest: Digest): Promise<void> {
  return noteImages(db, [digest]);
}

/** Notes the same of those of some images that no repository has. */
export async function noteGoneImages(db: RegistryDb, digests: readonly string[]): Promise<void> {
  for (const some of inChunks(digests)) {
    const kept = await findKept(db, some);
    const gone = some.filter((digest) => !kept.has(digest));
    if (gone.length > 0) await noteImages(db, gone);
  }
}

/** What forgetting needs. */
export interface ForgettingOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly clock: Clock;
}

/**
 * Makes the scanner forget the images that were collected and are in no repository any more. An image that is pushed again meanwhile
 * is scanned again. Can be stopped and started again at any moment.
 * @returns how many were forgotten
 */
export async function forgetReports(
  { store, scanner, clock }: ForgettingOptions,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (let page = await findCollected(store.db); page.length > 0; page = await findCollected(store.db)) {
    signal.throwIfAborted();
    const kept = await findKept(store.db, page);
    const gone = page.filter((digest) => !kept.has(digest));
    if (gone.length > 0) {
      await scanner.forget?.(gone.map(parseDigest), { signal });
      await readAgain(store.db, gone, clock.now());
    }
    await removeCollected(store.db, page);
    forgotten += gone.length;
  }
  return forgotten;
}
