/** What index reports and vulnerability reports consist of, and their JSON. */
export type { Coverage, Problem, UnassessedKind } from "../model/index-report.ts";
export type { Json } from "../model/json-value.ts";
export type { PackageDetails } from "../model/package-details.ts";
export type { Rating } from "../model/rating.ts";
export type { FeedCoverage } from "../ports.ts";
export { parseIndexReportJson, toCoveredIndexReportJson, toIndexReportJson } from "../wire/index-report.ts";
export { parseVulnerabilityReportJson } from "../wire/parse-vulnerability-report.ts";
export type {
  CoveredIndexReportJson,
  IndexReportJson,
  VulnerabilityJson,
  VulnerabilityReportJson,
} from "../wire/shapes.ts";
export { toVulnerabilityReportJson } from "../wire/vulnerability-report.ts";
