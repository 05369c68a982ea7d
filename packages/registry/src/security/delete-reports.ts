import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import { inChunks } from "../store/bounded-reads.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
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

/** How many pages of the scanner's images one call reads. */
const pagesPerCall = 50;

/** The pause between two passes over all images. */
const pauseMs = 86_400_000;

/**
 * Finds images of the scanner that no repository has, and stores their digests. They were collected by an older release that did not store
 * them, or the database was restored since. A scanner with other clients lists no images (`ImageScanner.list`). Resumes where the last
 * call stopped, and begins a new pass over all images once a day.
 * @returns how many images this call has read
 */
export async function noteOrphanedReports(
  { store: { db }, scanner, clock }: DeleteReportsOptions,
  signal: AbortSignal,
): Promise<number> {
  const yieldToOthers = cooperativeYield();
  let { after, pausedUntil } = await findProgress(db);
  if (clock.now() < pausedUntil) return 0;
  let images = 0;
  for (let page = 0; page < pagesPerCall; page++) {
    signal.throwIfAborted();
    const digests = await scanner.list(after, { signal });
    await noteGoneImages(db, digests);
    const last = digests.at(-1);
    images += digests.length;
    after = last ?? "";
    pausedUntil = last === undefined ? clock.now() + pauseMs : 0;
    await putFact(db, progressFact, JSON.stringify({ after, pausedUntil } satisfies Progress));
    if (last === undefined) break;
    await yieldToOthers();
  }
  return images;
}

/** The digest of the last image that was read, and when to continue, in epoch milliseconds. */
interface Progress {
  readonly after: string;
  readonly pausedUntil: number;
}

const progressFact = "orphaned-reports-noted";

async function findProgress(db: RegistryDb): Promise<Progress> {
  const stored = await findFact(db, progressFact);
  return stored === undefined ? { after: "", pausedUntil: 0 } : (JSON.parse(stored) as Progress);
}
