import { ScanError } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { contentOf, findStoredManifest } from "../content/queries/manifest-content.ts";
import { RegistryError } from "../errors.ts";
import type { EventDeps } from "../events/emit-event.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ImageScanner, ScannableImage } from "../ports/scanning.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { countScan, storeCounts } from "./count-findings.ts";
import { noteLateScan } from "./delete-reports.ts";
import { findImageReport, type ImageReport } from "./image-security.ts";
import { emitVulnerabilities, type TaggedImage, vulnerabilitiesOf } from "./new-vulnerabilities.ts";
import { deleteScan, findQueued, storeScanEnd } from "./queries/scans.ts";
import { scannableLayers } from "./scannable-layers.ts";

/** Inspects the content of layers in the blob store. */
interface LayerInspector {
  /** @returns undefined if the layer is whole */
  inspect(digest: Digest, how: { readonly quick: boolean }): Promise<object | undefined>;
}

/** What {@link scanManifest} needs. */
export interface ScanOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly blobs: BlobStore;
  /** Inspects layers that do not have their digests. Absent: they are taken for what was pushed. */
  readonly damage?: LayerInspector;
  readonly clock: Clock;
  readonly settings: EventDeps["settings"];
  readonly pageAddress: EventDeps["pageAddress"];
}

/**
 * Scans an image, stores the result and its counts, and emits events for new vulnerabilities. Does nothing for an image that is deleted or was
 * scanned already. Deletes the scan of a manifest that is not an image.
 * @throws Error for temporary failures, for example if the scanner does not respond
 */
export async function scanManifest(options: ScanOptions, manifestId: string, signal: AbortSignal): Promise<void> {
  const { store, scanner, clock, settings, pageAddress } = options;
  const row = await findQueued(store.db, manifestId);
  const image = row && imageOf({ ...row, content: await contentOf(store.db, { ...row, id: manifestId }) });
  if (image === undefined) return row && deleteScan(store.db, manifestId);
  const indexState = await scanner.state({ signal });
  const end = { manifestId, indexState, now: clock.now() };
  try {
    await scanner.index({ digest: image.digest, layers: image.layers }, { signal });
  } catch (error) {
    if (signal.aborted || !isFinal(error) || (await isDamage(options, image, error))) throw error;
    const state = error.code === "layer_too_large" ? "manifest_layer_too_large" : "failed";
    await storeScanEnd(store.db, { ...end, state, reason: error.message });
    return;
  }
  const notifies = image.isNew && image.hasReceivers && settings.features.repositoryNotifications;
  const report = await findReport(options, { ...image, isNeeded: notifies }, signal);
  const vulnerabilities = notifies && report?.status === "scanned" ? vulnerabilitiesOf(report.report) : [];
  const scanned = { ...end, state: "scanned", reason: null } as const;
  const counted = await countScan(report, end.now);
  await store.transaction(async (db) => {
    const isOurs = await storeScanEnd(db, scanned);
    if (!isOurs) return noteLateScan(db, image.digest);
    await storeCounts(db, manifestId, counted);
    if (vulnerabilities.length > 0)
      await emitVulnerabilities({ db, settings, clock, pageAddress }, image, { vulnerabilities, cause: "scan" });
  });
}

/**
 * The report of an image that was just indexed, without suppressed findings. Undefined if the scanner does not respond, unless the report
 * is needed.
 */
async function findReport(
  { store, scanner, blobs, clock }: ScanOptions,
  { digest, repository, isNeeded }: Pick<QueuedImage, "digest" | "repository"> & { readonly isNeeded: boolean },
  signal: AbortSignal,
): Promise<ImageReport | undefined> {
  const manifest = await findStoredManifest(store.db, { repositoryId: repository.id, digest });
  if (manifest === undefined) return undefined;
  const context = { db: store.db, imageScanner: scanner, blobs, now: clock.now() };
  try {
    return await findImageReport(context, manifest, signal);
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
  await storeScanEnd(db, { ...failed, indexState: null, state: "failed" });
}

/** An image whose scan is queued. */
interface QueuedImage extends TaggedImage, ScannableImage {
  /** Whether it was never scanned before. */
  readonly isNew: boolean;
  /** Whether its repository has a notification for new vulnerabilities. */
  readonly hasReceivers: boolean;
}

/** The row of an image manifest whose scan is queued. */
type QueuedRow = Omit<NonNullable<Awaited<ReturnType<typeof findQueued>>>, "content"> & { readonly content: string };

function imageOf(row: QueuedRow): QueuedImage | undefined {
  const layers = scannableLayers(row);
  if (layers === undefined) return undefined;
  const { manifest_id: manifestId, digest, id, name, namespace, index_state, has_receivers } = row;
  const isNew = index_state === null;
  const hasReceivers = Boolean(has_receivers); // SQLite says 0 or 1
  return { manifestId, digest: parseDigest(digest), layers, isNew, hasReceivers, repository: { id, namespace, name } };
}

/** Whether the blob store has damaged a layer: the image can be scanned when the layer was stored again. */
async function isDamage({ damage }: ScanOptions, { layers }: ScannableImage, { code }: ScanError): Promise<boolean> {
  if (damage === undefined || (code !== "digest_mismatch" && code !== "size_mismatch")) return false;
  for (const { digest } of layers) {
    if ((await damage.inspect(digest, { quick: false })) !== undefined) return true;
  }
  return false;
}

const passing: ReadonlySet<string> = new Set([
  ...["aborted", "deleted", "service_unavailable", "source_unreachable", "timed_out"],
]);

/** Whether the image causes the error, so that another attempt would fail too. */
function isFinal(error: unknown): error is ScanError {
  return error instanceof ScanError && !passing.has(error.code);
}
