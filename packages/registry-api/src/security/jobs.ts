import { job } from "@plimsoll/store";
import { type CountingOptions, countDueFindings } from "./count-findings.ts";
import { type ForgettingOptions, forgetReports } from "./forget-reports.ts";
import { noteLoggedImages } from "./note-logged-images.ts";
import { noteOrphanedReports } from "./note-orphaned-reports.ts";
import { queueRescans } from "./queue-rescans.ts";
import type { ScanOptions } from "./scan-manifest.ts";

/** Makes the scanner forget the reports of collected images, and of images that are gone in another way. Recurs. */
export const forgetReportsJob = job({
  kind: "registry.forget-reports",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, options: ForgettingOptions) {
    await noteLoggedImages(options.store, signal);
    await noteOrphanedReports(options, signal);
    await forgetReports(options, signal);
  },
});

/** Queues images that are to be read again. Recurs. */
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
