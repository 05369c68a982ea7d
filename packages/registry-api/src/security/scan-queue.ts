import { enqueueJob, type NewJob } from "@plimsoll/store";
import type { Insertable } from "kysely";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ManifestScanTable } from "../store/tables/content.ts";
import { insertScan } from "./queries/scans.ts";
import { scanManifestJob } from "./scan-manifest-job.ts";
import { scannableLayers } from "./scannable-layers.ts";

type EnteredManifest = Pick<ImageManifestRow, "id" | "is_index" | "content"> & { readonly namespaceId: string };

/** The row and the job of a scan to store. */
export interface EnteredScan {
  readonly row: Insertable<ManifestScanTable>;
  readonly job: NewJob;
}

/**
 * The row and the job for the scan of a new image manifest; undefined for a manifest that is no image. Must run in the transaction
 * that stores the manifest.
 * @param headStartMs how long the job leaves the image to the process that received it
 */
export function newScan(
  manifest: EnteredManifest,
  { clock, headStartMs }: { readonly clock: Clock; readonly headStartMs: number },
): EnteredScan | undefined {
  if (scannableLayers(manifest) === undefined) return undefined;
  const now = clock.now();
  const { namespaceId } = manifest;
  const state = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: now } as const;
  return {
    row: { manifest_id: manifest.id, ...state },
    job: scanManifestJob.of({ manifestId: manifest.id, namespaceId }, { runAt: now + headStartMs }),
  };
}

/** Stores the scan of an image, unless there is one already. @returns whether there was none */
export async function enterScan(db: RegistryDb, { row }: EnteredScan): Promise<boolean> {
  return insertScan(db, row);
}

/** An image whose scan is to be queued. */
interface QueuedScan {
  readonly manifestId: string;
  readonly namespaceId: string;
  /** Epoch milliseconds. */
  readonly runAt: number;
}

/** Queues the scan of an image. @returns false where it is in the queue already */
export async function enqueueScan(
  db: RegistryDb,
  { manifestId, namespaceId, runAt }: QueuedScan,
  clock: Clock,
): Promise<boolean> {
  return (await enqueueJob(db, scanManifestJob.of({ manifestId, namespaceId }, { runAt }), clock)) !== undefined;
}
