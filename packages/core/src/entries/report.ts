/** What index reports and vulnerability reports consist of, and their JSON. */
export type { EnricherCoverage, Suppressed, Undecided, VulnerabilityRange } from "../match/report.ts";
export type { ArchOperation } from "../model/advisory.ts";
export type { DistributionEnd, EndOfLife, PackageEnd } from "../model/end-of-life.ts";
export type {
  Coverage,
  DatabaseCoverage,
  Environment,
  EvidencePath,
  IndexProgress,
  LayerCoverage,
  PackageFact,
  Problem,
  UnassessedKind,
  UnassessedPackages,
  UndecidedPackages,
} from "../model/index-report.ts";
export type { Json } from "../model/json-value.ts";
export type { PackageKind } from "../model/package.ts";
export type { Rater, Rating } from "../model/rating.ts";
export type { Steps, YieldToOthers } from "../model/slices.ts";
export type { BuildMark } from "../plugins/detector.ts";
export type { UndecidedReason } from "../plugins/matcher.ts";
export type { FeedCoverage } from "../ports.ts";
export {
  parseIndexReportJson,
  toCoveredIndexReportJson,
  toCoveredIndexReportJsonInSlices,
  toIndexReportJson,
  toIndexReportJsonInSlices,
} from "../wire/index-report.ts";
export {
  parseVulnerabilityReportJson,
  parseVulnerabilityReportJsonInSlices,
} from "../wire/parse-vulnerability-report.ts";
export type {
  CoverageJson,
  CoveredIndexReportJson,
  DistributionJson,
  EnvironmentJson,
  IndexReportJson,
  InventoryJson,
  PackageJson,
  RangeJson,
  RepositoryJson,
  VulnerabilityJson,
  VulnerabilityReportJson,
} from "../wire/shapes.ts";
export { toVulnerabilityReportJson, toVulnerabilityReportJsonInSlices } from "../wire/vulnerability-report.ts";
export type { RuledVulnerabilityJson, RuleJson } from "../wire/vulnerability-rule.ts";
