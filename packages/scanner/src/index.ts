export type {
  Advisory,
  AdvisorySource,
  Coverage,
  Digest,
  Distribution,
  Ecosystem,
  Engine,
  EnrichmentSource,
  FeedCoverage,
  IndexReport,
  Package,
  Platform,
  Problem,
  ScanErrorCode,
  Severity,
  UnassessedKind,
  UnassessedPackages,
  Vulnerability,
  VulnerabilityReport,
} from "@plimsoll/core";
export {
  advisorySourceOf,
  allEcosystems,
  compareSeverity,
  createEngine,
  diffReports as diff,
  type Explanation,
  findSeverity,
  formatExplanation,
  formatPlatform,
  parsePlatform,
  type ReportDiff,
  ScanError,
  severities,
  toCoveredIndexReportJson,
  toIndexReportJson,
  toVulnerabilityReportJson,
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
export type { DatabaseStatus } from "./database-status.ts";
export type { Finding, FindingFilter } from "./findings.ts";
export { type MatchOptions, openScanner, type Scanner, type ScannerOptions, type ScanOptions } from "./open-scanner.ts";
export { type ScanReport, scanReport } from "./scan-report.ts";
export { index, match } from "./stand-alone.ts";
export type { UpdateFeedsOptions } from "./update-feeds.ts";
