import type { JobHandler } from "@plimsoll/store";
import { queueRescans } from "../queue-rescans.ts";
import type { ScanOptions } from "../scan-manifest.ts";

/** The job that sees to it that images are read again; it is to recur. */
export const rescanJob = "registry.rescan-manifests";

/** Queues images that are to be read again. */
export function rescanManifests(options: ScanOptions): JobHandler {
  return ({ signal }) => queueRescans(options, signal);
}
