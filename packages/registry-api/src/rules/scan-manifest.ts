import { parseDigest, ScanError } from "@plimsoll/core";
import { enqueueJob } from "@plimsoll/store";
import type { Clock, ImageScanner } from "../ports.ts";
import type { ImageManifestRow } from "../store/image-manifests.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import type { ScanState } from "../store/tables/content.ts";
import { scannableLayers } from "./scannable-layers.ts";

/** The job that has an image read; its payload is `{ manifestId }`. */
export const scanManifestJob = "registry.scan-manifest";

/** After so many failed attempts an image counts as one that cannot be read. */
const maxAttempts = 6;

/**
 * Queues the scan of a new image manifest. Belongs into the transaction that makes it.
 * @param headStartMs how long the job leaves the image to whoever pushed it
 */
export async function queueScan(
  db: RegistryDb,
  manifest: Pick<ImageManifestRow, "id" | "is_index" | "content">,
  { clock, headStartMs }: { readonly clock: Clock; readonly headStartMs: number },
): Promise<void> {
  if (scannableLayers(manifest) === undefined) return;
  const now = clock.now();
  const row = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: now } as const;
  const added = await db
    .insertInto("manifest_scan")
    .values({ manifest_id: manifest.id, ...row })
    .onConflict((conflict) => conflict.doNothing())
    .returning("manifest_id")
    .executeTakeFirst();
  if (added === undefined) return;
  const uniqueKey = `${scanManifestJob}:${manifest.id}`;
  const payload = { manifestId: manifest.id };
  const job = { kind: scanManifestJob, uniqueKey, payload, runAt: now + headStartMs, maxAttempts };
  await enqueueJob(db, job, clock);
}

/** What scanning takes. */
export interface ScanOptions {
  readonly store: RegistryStore;
  readonly scanner: ImageScanner;
  readonly clock: Clock;
}

/**
 * Has an image read and remembers how it went. Nothing is done for one that is gone or was read already.
 * @throws what may pass: the scanner cannot be asked at the moment
 */
export async function scanManifest(
  { store, scanner, clock }: ScanOptions,
  manifestId: string,
  signal: AbortSignal,
): Promise<void> {
  const manifest = await findQueued(store.db, manifestId);
  if (manifest === undefined) return;
  const layers = scannableLayers(manifest);
  if (layers === undefined) return;
  const remember = (state: ScanState, reason: string | null) =>
    store.db
      .updateTable("manifest_scan")
      .set((row) => ({ state, reason, attempts: row("attempts", "+", 1), changed_at: clock.now() }))
      .where("manifest_id", "=", manifestId)
      .execute();
  try {
    await scanner.index({ digest: parseDigest(manifest.digest), layers }, { signal });
  } catch (error) {
    if (signal.aborted || !isFinal(error)) throw error;
    await remember(error.code === "layer_too_large" ? "manifest_layer_too_large" : "failed", error.message);
    return;
  }
  await remember("scanned", null);
}

async function findQueued(db: RegistryDb, manifestId: string) {
  return db
    .selectFrom("image_manifest")
    .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
    .select(["image_manifest.digest", "image_manifest.is_index", "image_manifest.content"])
    .where("image_manifest.id", "=", manifestId)
    .where("manifest_scan.state", "=", "queued")
    .executeTakeFirst();
}

const passing: ReadonlySet<string> = new Set(["aborted", "source_unreachable", "timed_out"]);

/** Whether it is the image's fault: another attempt would end the same way. */
function isFinal(error: unknown): error is ScanError {
  return error instanceof ScanError && !passing.has(error.code);
}
