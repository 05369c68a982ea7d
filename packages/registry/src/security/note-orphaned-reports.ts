import { cooperativeYield } from "@plimsoll/store";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { type DeleteReportsOptions, noteGoneImages } from "./delete-reports.ts";

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
