/** What index reports and vulnerability reports consist of, and their JSON. */
export type { Json } from "../model/json-value.ts";
export type { PackageDetails } from "../model/package-details.ts";
export { parseIndexReportJson, toIndexReportJson } from "../wire/index-report.ts";
export { parseVulnerabilityReportJson } from "../wire/parse-vulnerability-report.ts";
export type { IndexReportJson, VulnerabilityJson, VulnerabilityReportJson } from "../wire/shapes.ts";
export { toVulnerabilityReportJson } from "../wire/vulnerability-report.ts";
