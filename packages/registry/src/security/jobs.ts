import { job } from "@plimsoll/store";
import { type CountingOptions, countDueFindings } from "./count-findings.ts";
import { type DeleteReportsOptions, deleteReports, noteOrphanedReports } from "./delete-reports.ts";
import { noteLoggedImages } from "./note-logged-images.ts";
import { queueRescans } from "./queue-rescans.ts";
import type { ScanOptions } from "./scan-manifest.ts";

/** Deletes the scanner's reports of images that no repository has any more. Recurs. */
export const deleteReportsJob = job({
  kind: "registry.delete-reports",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, options: DeleteReportsOptions) {
    await noteLoggedImages(options.store, signal);
    await noteOrphanedReports(options, signal);
    await deleteReports(options, signal);
  },
});

/** Queues images for scanning. Recurs. See {@link queueRescans}. */
export const rescanJob = job({
  kind: "registry.rescan-manifests",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, options: ScanOptions) => queueRescans(options, signal),
});

/** Counts the vulnerabilities of images whose counts are missing or old. Recurs. */
export const countFindingsJob = job({
  kind: "registry.count-findings",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, options: CountingOptions) => countDueFindings(options, signal),
});
