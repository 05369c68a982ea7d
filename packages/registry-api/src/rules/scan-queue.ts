import { enqueueJob } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { ImageManifestRow } from "../store/image-manifests.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { scannableLayers } from "./scannable-layers.ts";

/** The job that has an image read; its payload is `{ manifestId }`. */
export const scanManifestJob = "registry.scan-manifest";

/** After so many failed attempts an image counts as one that cannot be read. */
const maxAttempts = 6;

type EnteredManifest = Pick<ImageManifestRow, "id" | "is_index" | "content">;

/**
 * Remembers of a new image manifest that its image is to be read, by whoever can some day. Belongs into the transaction that makes
 * it.
 * @returns false for what is no image, and for what is remembered already
 */
export async function enterScan(db: RegistryDb, manifest: EnteredManifest, clock: Clock): Promise<boolean> {
  if (scannableLayers(manifest) === undefined) return false;
  const row = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: clock.now() } as const;
  const added = await db
    .insertInto("manifest_scan")
    .values({ manifest_id: manifest.id, ...row })
    .onConflict((conflict) => conflict.doNothing())
    .returning("manifest_id")
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * As {@link enterScan}, and has a worker read it.
 * @param headStartMs how long the job leaves the image to whoever pushed it
 */
export async function queueScan(
  db: RegistryDb,
  manifest: EnteredManifest,
  { clock, headStartMs }: { readonly clock: Clock; readonly headStartMs: number },
): Promise<void> {
  const isNew = await enterScan(db, manifest, clock);
  if (isNew) await enqueueScan(db, { manifestId: manifest.id, runAt: clock.now() + headStartMs }, clock);
}

/** Has a worker read an image. @returns false where that is in the queue already */
export async function enqueueScan(
  db: RegistryDb,
  { manifestId, runAt }: { readonly manifestId: string; readonly runAt: number },
  clock: Clock,
): Promise<boolean> {
  const uniqueKey = `${scanManifestJob}:${manifestId}`;
  const job = { kind: scanManifestJob, uniqueKey, payload: { manifestId }, runAt, maxAttempts };
  return (await enqueueJob(db, job, clock)) !== undefined;
}
