import { enqueueJob, type NewJob } from "@plimsoll/store";
import type { Insertable } from "kysely";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ManifestScanTable } from "../store/tables/content.ts";
import { insertScan } from "./queries/scans.ts";
import { scanManifestJob } from "./scan-manifest-job.ts";
import { scannableLayers } from "./scannable-layers.ts";

type EnteredManifest = Pick<ImageManifestRow, "id" | "is_index" | "content">;

/** An image that is remembered to be read, and when a worker does. */
export interface EnteredScan {
  readonly row: Insertable<ManifestScanTable>;
  readonly job: NewJob;
}

/**
 * What remembers of an image manifest that its image is to be read; nothing for what is no image. Must run in the transaction
 * that makes the manifest.
 * @param headStartMs how long the job leaves the image to the process that received it
 */
export function newScan(
  manifest: EnteredManifest,
  { clock, headStartMs }: { readonly clock: Clock; readonly headStartMs: number },
): EnteredScan | undefined {
  if (scannableLayers(manifest) === undefined) return undefined;
  const now = clock.now();
  const state = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: now } as const;
  return {
    row: { manifest_id: manifest.id, ...state },
    job: scanManifestJob.of({ manifestId: manifest.id }, { runAt: now + headStartMs }),
  };
}

/** Remembers the scan of an image, unless it is remembered already. @returns whether it was not */
export async function enterScan(db: RegistryDb, { row }: EnteredScan): Promise<boolean> {
  return insertScan(db, row);
}

/** Has a worker read an image. @returns false where that is in the queue already */
export async function enqueueScan(
  db: RegistryDb,
  { manifestId, runAt }: { readonly manifestId: string; readonly runAt: number },
  clock: Clock,
): Promise<boolean> {
  return (await enqueueJob(db, scanManifestJob.of({ manifestId }, { runAt }), clock)) !== undefined;
}
