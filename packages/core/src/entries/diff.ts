/** The difference of two images or reports. */
export { diffPackages, type PackageDiff } from "../match/diff-packages.ts";
export { diffReports, type ReportDiff, type ReportFinding } from "../match/diff-reports.ts";
