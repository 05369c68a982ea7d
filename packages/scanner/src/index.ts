export {
  type Advisory,
  type AdvisorySource,
  advisorySourceOf,
  allEcosystems,
  type Coverage,
  compareSeverity,
  createEngine,
  type Digest,
  type Distribution,
  diffReports as diff,
  type Ecosystem,
  type Engine,
  type EnrichmentSource,
  type Explanation,
  type FeedCoverage,
  findSeverity,
  formatExplanation,
  formatPlatform,
  type IndexReport,
  type Package,
  type Platform,
  type Problem,
  parsePlatform,
  parseVex,
  type Rating,
  type ReportDiff,
  type Risk,
  ScanError,
  type ScanErrorCode,
  type Severity,
  severities,
  toCoveredIndexReportJson,
  toIndexReportJson,
  toVulnerabilityReportJson,
  type UnassessedKind,
  type UnassessedPackages,
  type VexStatement,
  type Vulnerability,
  type VulnerabilityReport,
  versionSchemes,
} from "@plimsoll/core";
export {
  defaultLayerBudget,
  fromArchive,
  fromArchiveStream,
  fromDir,
  fromDockerArchive,
  fromOciArchive,
  fromOciDir,
  fromRegistry,
  type HostEnvironment,
  hostCertificates,
  hostCredentials,
  hostEnvironment,
  type ImageSource,
  type IndexEvent,
  type IndexedImage,
  type IndexOptions,
  type LayerBudget,
  openRegistryReports,
  type ParseSourceOptions,
  parseSource,
  type RegistryOptions,
  type RegistryReport,
  type RegistryReports,
  type RegistryReportsOptions,
} from "@plimsoll/indexer";
export type {
  DroppedRecords,
  FeedProblem,
  FeedStatus,
  ImportEvent,
  UpdateEvent,
  UpdateResult,
} from "@plimsoll/matcher";
export { hostProxy, type ProxySettings } from "@plimsoll/outbound";
export { StoreError } from "@plimsoll/store";
export { hostPlatform } from "./adapters/host-platform.ts";
export type { PulledDatabase, RegistryUse } from "./database-artifact.ts";
export type { DatabaseStatus } from "./database-status.ts";
export type { Finding, FindingFilter } from "./findings.ts";
export { type MatchOptions, openScanner, type Scanner, type ScannerOptions, type ScanOptions } from "./open-scanner.ts";
export { type ScanReport, scanReport } from "./scan-report.ts";
export { index, match, type StandAloneIndexOptions, type StandAloneMatchOptions } from "./stand-alone.ts";
export { type StatedScan, withStatements } from "./stated-report.ts";
export type { UpdateFeedsOptions } from "./update-feeds.ts";
