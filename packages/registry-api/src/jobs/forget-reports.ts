import type { JobHandler } from "@plimsoll/store";
import { type ForgettingOptions, forgetReports } from "../rules/forget-reports.ts";

/** The job that has the scanner forget images that were collected; it is to recur. */
export const forgetReportsJob = "registry.forget-reports";

/** Has the reports of collected images forgotten. */
export function forgetCollectedReports(options: ForgettingOptions): JobHandler {
  return async ({ signal }) => void (await forgetReports(options, signal));
}
