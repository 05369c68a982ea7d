import { parseDigest, ScanError } from "@plimsoll/core";
import { findStoredManifest } from "../content/queries/image-manifests.ts";
import { RegistryError } from "../errors.ts";
import type { EventContext } from "../events/repository-notifications.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner, ScannableImage } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { storeCounts } from "./count-findings.ts";
import { noteReadTooLate } from "./forget-reports.ts";
import { findImageReport, type ImageReport } from "./image-security.ts";
import { emitVulnerabilities, type TaggedImage, vulnerabilitiesOf } from "./new-vulnerabilities.ts";
import { findQueued, forgetScan, remember } from "./queries/scans.ts";
import { scannableLayers } from "./scannable-layers.ts";

/** What scanning takes. */
export interface ScanOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  /** Where documents that are attached to images are read; they are not looked for where absent. */
  readonly blobs?: BlobStore;
  readonly clock: Clock;
  readonly settings: EventContext["settings"];
}

/**
 * Scans an image, stores the result and its counts, and notifies users of new vulnerabilities. Does nothing for an image that is gone or was
 * scanned already. A manifest that is no image leaves the queue.
 * @throws what may pass: the scanner cannot be asked at the moment
 */
export async function scanManifest(options: ScanOptions, manifestId: string, signal: AbortSignal): Promise<void> {
  const { store, scanner, clock, settings } = options;
  const row = await findQueued(store.db, manifestId);
  const image = row && imageOf(row);
  if (image === undefined) return row && forgetScan(store.db, manifestId);
  const indexState = await scanner.state({ signal });
  const end = { manifestId, indexState, now: clock.now() };
  try {
    await scanner.index({ digest: image.digest, layers: image.layers }, { signal });
  } catch (error) {
    if (signal.aborted || !isFinal(error)) throw error;
    const state = error.code === "layer_too_large" ? "manifest_layer_too_large" : "failed";
    await remember(store.db, { ...end, state, reason: error.message });
    return;
  }
  const notifies = image.isNew && image.hasReceivers && settings.features.repositoryNotifications;
  const report = await findReport(options, { ...image, isNeeded: notifies }, signal);
  const vulnerabilities = notifies && report?.status === "scanned" ? vulnerabilitiesOf(report.report) : [];
  const scanned = { ...end, state: "scanned", reason: null } as const;
  await store.transaction(async (db) => {
    const isOurs = await remember(db, scanned);
    if (!isOurs) return noteReadTooLate(db, image.digest);
    await storeCounts(db, manifestId, { report, at: end.now });
    if (vulnerabilities.length > 0)
      await emitVulnerabilities({ db, settings, ports: { clock } }, image, { vulnerabilities, cause: "scan" });
  });
}

/**
 * The report of an image that was just scanned: less what VEX documents take out that are attached already. Undefined where the scanner
 * cannot be asked for it, unless it is needed.
 */
async function findReport(
  { store, scanner, blobs, clock }: ScanOptions,
  { digest, repository, isNeeded }: Pick<QueuedImage, "digest" | "repository"> & { readonly isNeeded: boolean },
  signal: AbortSignal,
): Promise<ImageReport | undefined> {
  const manifest = await findStoredManifest(store.db, { repositoryId: repository.id, digest });
  if (manifest === undefined) return undefined;
  const asking = { db: store.db, ports: { imageScanner: scanner, ...(blobs && { blobs }) }, now: clock.now() };
  try {
    return await findImageReport(asking, manifest, signal);
  } catch (error) {
    if (isNeeded || signal.aborted || !isOutage(error)) throw error;
    return undefined;
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof RegistryError && error.code === "downstream_issue";
}

/** Stores that the scan of an image has failed after the last attempt. */
export async function giveUpScan(
  db: RegistryDb,
  failed: { readonly manifestId: string; readonly reason: string; readonly now: number },
): Promise<void> {
  await remember(db, { ...failed, indexState: null, state: "failed" });
}

/** An image that waits to be scanned. */
interface QueuedImage extends TaggedImage, ScannableImage {
  /** Whether it was never scanned before. */
  readonly isNew: boolean;
  /** Whether its repository has a notification for new vulnerabilities. */
  readonly hasReceivers: boolean;
}

/** An image manifest that waits to be read. */
type QueuedRow = NonNullable<Awaited<ReturnType<typeof findQueued>>>;

function imageOf(row: QueuedRow): QueuedImage | undefined {
  const layers = scannableLayers(row);
  if (layers === undefined) return undefined;
  const { manifest_id: manifestId, digest, id, name, namespace, index_state, has_receivers } = row;
  const isNew = index_state === null;
  const hasReceivers = Boolean(has_receivers); // SQLite says 0 or 1
  return { manifestId, digest: parseDigest(digest), layers, isNew, hasReceivers, repository: { id, namespace, name } };
}

const passing: ReadonlySet<string> = new Set(["aborted", "deleted", "source_unreachable", "timed_out"]);

/** Whether it is the image's fault: another attempt would end the same way. */
function isFinal(error: unknown): error is ScanError {
  return error instanceof ScanError && !passing.has(error.code);
}
