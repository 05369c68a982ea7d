/** What index reports and vulnerability reports consist of, and their JSON. */
export type { EndOfLife } from "../model/end-of-life.ts";
export type {
  Coverage,
  Environment,
  ListedFile,
  PackageDependencies,
  PackageFact,
  Problem,
  UnassessedKind,
} from "../model/index-report.ts";
export type { Json } from "../model/json-value.ts";
export type { LicenseStatement, PackageDetails, PackageFile } from "../model/package-details.ts";
export type { Rating } from "../model/rating.ts";
export type { UndecidedReason } from "../plugins/matcher.ts";
export type { FeedCoverage } from "../ports.ts";
export { parseIndexReportJson, toCoveredIndexReportJson, toIndexReportJson } from "../wire/index-report.ts";
export { parseVulnerabilityReportJson } from "../wire/parse-vulnerability-report.ts";
export type {
  CoveredIndexReportJson,
  DescribedIndexReportJson,
  IndexReportJson,
  PackageJson,
  VulnerabilityJson,
  VulnerabilityReportJson,
} from "../wire/shapes.ts";
export { toVulnerabilityReportJson } from "../wire/vulnerability-report.ts";
