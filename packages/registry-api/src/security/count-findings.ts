import { findStoredManifest, type ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { countFindings } from "./finding-counts.ts";
import { findImageReport, type ImageReport } from "./image-security.ts";
import { listDue, putDue, putFindingCounts, putVulnerabilities } from "./queries/finding-counts.ts";
import { putUsed } from "./queries/ignore-rules.ts";

/**
 * How long counts hold. Scans, updates of advisories and changes of rules replace them soon, and so does the end of a rule; known exploits,
 * attached VEX documents and the age of feeds are seen after that.
 */
const countsHoldMs = 24 * 3_600_000;

/** When an image is looked at again that the scanner could not be asked about. */
const retryMs = 3_600_000;

/** The most images that are counted in one run, so that counting all again does not keep a processor busy. */
const mostAtOnce = 200;

/**
 * Stores which vulnerabilities an image has, and how many, by a report that was asked for at an instant; without a report it is counted
 * later. Must run in a transaction.
 */
export async function storeCounts(
  db: RegistryDb,
  manifestId: string,
  { report, at }: { readonly report: ImageReport | undefined; readonly at: number },
): Promise<void> {
  if (report === undefined) return putDue(db, manifestId, 0);
  if (report.status !== "scanned") return putDue(db, manifestId, at + countsHoldMs);
  const { counts, vulnerabilities } = countFindings(report);
  const dueAt = Math.min(at + countsHoldMs, report.until);
  const isNewest = await putFindingCounts(db, { manifestId, counts, at, dueAt });
  if (!isNewest) return;
  await putVulnerabilities(db, { manifestId, at }, vulnerabilities);
  await putUsed(db, report.usedRules, at);
}

/**
 * Counts the vulnerabilities of images whose counts are missing or old. Can be stopped at any moment.
 * @throws RegistryError `downstream_issue` when the scanner cannot be asked about an image; the others are not kept from being counted
 */
export async function countDueFindings(options: CountingOptions, signal: AbortSignal): Promise<void> {
  const { store, clock } = options;
  for (const image of await listDue(store.db, { now: clock.now(), limit: mostAtOnce })) {
    signal.throwIfAborted();
    const manifest = await findStoredManifest(store.db, image);
    if (manifest !== undefined) await countImage(options, manifest, signal);
  }
}

/** What counting takes. */
export interface CountingOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  /** Where documents that are attached to images are read; they are not looked for where absent. */
  readonly blobs?: BlobStore;
  readonly clock: Clock;
}

async function countImage(
  { store, scanner, blobs, clock }: CountingOptions,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<void> {
  const at = clock.now();
  const asking = { db: store.db, ports: { imageScanner: scanner, ...(blobs && { blobs }) }, now: at };
  try {
    const report = await findImageReport(asking, manifest, signal);
    await store.transaction((db) => storeCounts(db, manifest.id, { report, at }));
  } catch (error) {
    if (!signal.aborted) await putDue(store.db, manifest.id, at + retryMs);
    throw error;
  }
}
