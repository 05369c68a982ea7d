import type { JobHandler } from "@plimsoll/store";
import { type ScanOptions, scanManifest } from "../rules/scan-manifest.ts";

/** Reads an image that was not read while it was pushed. */
export function scanQueuedManifest(options: ScanOptions): JobHandler {
  return ({ job, signal }) => {
    const { manifestId } = job.payload as { readonly manifestId: string };
    return scanManifest(options, manifestId, signal);
  };
}
