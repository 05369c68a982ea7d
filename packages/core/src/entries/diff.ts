/** The difference of two images or reports. */
export { type ChangedPackage, diffPackages, type PackageDiff } from "../match/diff-packages.ts";
export {
  type AddedCause,
  type ChangedFinding,
  diffReports,
  type RemovedCause,
  type ReportDiff,
  type ReportFinding,
} from "../match/diff-reports.ts";
export type { ReportInventory } from "../match/package-identities.ts";
