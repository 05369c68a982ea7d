import { enqueueJob } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { ImageManifestRow } from "../store/image-manifests.ts";
import type { RegistryDb } from "../store/tables/all.ts";
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
  if (added !== undefined) await enqueueScan(db, { manifestId: manifest.id, runAt: now + headStartMs }, clock);
}

/** Has a worker read an image, unless that is in the queue already. */
export async function enqueueScan(
  db: RegistryDb,
  { manifestId, runAt }: { readonly manifestId: string; readonly runAt: number },
  clock: Clock,
): Promise<void> {
  const uniqueKey = `${scanManifestJob}:${manifestId}`;
  await enqueueJob(db, { kind: scanManifestJob, uniqueKey, payload: { manifestId }, runAt, maxAttempts }, clock);
}
