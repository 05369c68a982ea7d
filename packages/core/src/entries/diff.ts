/** The difference of two images or reports. */
export { diffReports } from "../match/diff-reports.ts";
