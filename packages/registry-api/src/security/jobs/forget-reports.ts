import type { JobHandler } from "@plimsoll/store";
import { type ForgettingOptions, forgetReports } from "../forget-reports.ts";
import { noteLoggedImages } from "../note-logged-images.ts";
import { noteOrphanedReports } from "../note-orphaned-reports.ts";

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
