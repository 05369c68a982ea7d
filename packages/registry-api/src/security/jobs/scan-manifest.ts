import type { JobHandler } from "@plimsoll/store";
import { giveUpScan, type ScanOptions, scanManifest } from "../scan-manifest.ts";

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
