import type { JobHandler } from "@plimsoll/store";
import { type ForgettingOptions, forgetReports } from "./forget-reports.ts";
import { noteLoggedImages } from "./note-logged-images.ts";
import { noteOrphanedReports } from "./note-orphaned-reports.ts";
import { queueRescans } from "./queue-rescans.ts";
import { giveUpScan, type ScanOptions, scanManifest } from "./scan-manifest.ts";

/** Reads an image that was not read while it was pushed. When the last attempt fails, the image counts as one that cannot be read. */
export function scanQueuedManifest(options: ScanOptions): JobHandler {
  return async ({ job, signal }) => {
    const { manifestId } = job.payload as { readonly manifestId: string };
    try {
      await scanManifest(options, manifestId, signal);
    } catch (error) {
      const isLast = job.attempts >= job.maxAttempts && !signal.aborted;
      if (isLast) await giveUpScan(options, manifestId, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}

/** The job that sees to it that images are read again; it is to recur. */
export const rescanJob = "registry.rescan-manifests";

/** Queues images that are to be read again. */
export function rescanManifests(options: ScanOptions): JobHandler {
  return ({ signal }) => queueRescans(options, signal);
}

/** The job that has the scanner forget images that were collected; it is to recur. */
export const forgetReportsJob = "registry.forget-reports";

/** Has the reports of collected images forgotten, and those that have lost their images in another way. */
export function forgetCollectedReports(options: ForgettingOptions): JobHandler {
  return async ({ signal }) => {
    await noteLoggedImages(options.store, signal);
    await noteOrphanedReports(options, signal);
    await forgetReports(options, signal);
  };
}
