import { enqueueJob, job, type NewJob } from "@plimsoll/store";
import type { Insertable } from "kysely";
import { Type } from "typebox";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ManifestScanTable } from "../store/tables/content.ts";
import { namespaceTenant, ofNamespace } from "../values/names.ts";
import { insertScan } from "./queries/scans.ts";
import { giveUpScan, type ScanOptions, scanManifest } from "./scan-manifest.ts";
import { scannableLayers } from "./scannable-layers.ts";

type ScannedManifest = Pick<ImageManifestRow, "id" | "is_index"> & {
  readonly content: string;
  readonly namespaceId: string;
};

/** The row and the job of a scan to store. */
export interface NewScan {
  readonly row: Insertable<ManifestScanTable>;
  readonly job: NewJob;
}

/** Scans an image that was not scanned during its push. After the last attempt, the scan is stored as failed. */
export const scanManifestJob = job({
  kind: "registry.scan-manifest",
  payload: Type.Object({ manifestId: Type.String(), ...ofNamespace }),
  key: ({ manifestId }) => manifestId,
  tenant: namespaceTenant,
  concurrency: 3,
  maxAttempts: 6,
  handle: ({ payload, signal }, options: ScanOptions) => scanManifest(options, payload.manifestId, signal),
  onGivenUp: ({ payload, db, now, error }) => giveUpScan(db, { manifestId: payload.manifestId, reason: error, now }),
});

/**
 * The row and the job for the scan of a new image manifest; undefined for a manifest that is no image. Must run in the transaction
 * that stores the manifest.
 * @param headStartMs the delay of the job, during which the process that received the image can scan it
 */
export function newScan(
  manifest: ScannedManifest,
  { clock, headStartMs }: { readonly clock: Clock; readonly headStartMs: number },
): NewScan | undefined {
  if (scannableLayers(manifest) === undefined) return undefined;
  const now = clock.now();
  const { namespaceId } = manifest;
  const state = { state: "queued", reason: null, attempts: 0, index_state: null, changed_at: now } as const;
  return {
    row: { manifest_id: manifest.id, ...state },
    job: scanManifestJob.of({ manifestId: manifest.id, namespaceId }, { runAt: now + headStartMs }),
  };
}

/** Stores the scan of an image, unless there is one already. @returns whether it was stored */
export async function putScan(db: RegistryDb, { row }: NewScan): Promise<boolean> {
  return insertScan(db, row);
}

/** The scan of an image to queue. */
interface QueuedScan {
  readonly manifestId: string;
  readonly namespaceId: string;
  /** Epoch milliseconds. */
  readonly runAt: number;
}

/** Queues the scan of an image. @returns false if it is in the queue already */
export async function enqueueScan(
  db: RegistryDb,
  { manifestId, namespaceId, runAt }: QueuedScan,
  clock: Clock,
): Promise<boolean> {
  return (await enqueueJob(db, scanManifestJob.of({ manifestId, namespaceId }, { runAt }), clock)) !== undefined;
}
