/** The difference of two images or reports. */
export { diffPackages } from "../match/diff-packages.ts";
export { diffReports } from "../match/diff-reports.ts";
