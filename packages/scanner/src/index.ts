export {
  type Advisory,
  type AdvisorySource,
  advisorySourceOf,
  allEcosystems,
  createEngine,
  type Distribution,
  type Engine,
  type IndexReport,
  type Package,
  ScanError,
  type ScanErrorCode,
  type Vulnerability,
  type VulnerabilityReport,
} from "@plimsoll/core";
export { diffReports as diff } from "@plimsoll/core/diff";
export type { Digest } from "@plimsoll/core/digest";
export {
  type BillDiff,
  type ChangedPackage,
  type Coverage,
  candidatesOf,
  chainsIn,
  type DependencyGraph,
  dependencyGraph,
  diffBills,
  type EnrichmentSource,
  type Explanation,
  type FeedCoverage,
  isForDevelopment,
  otherIdentitiesOf,
  type PackageDiff,
  type Problem,
  type Rating,
  type ReportDiff,
  type ReportFinding,
  type Risk,
  type UnassessedKind,
  type UnassessedPackages,
} from "@plimsoll/core/internal";
export { formatExplanation } from "@plimsoll/core/match";
export { formatPlatform, type Platform, parsePlatform } from "@plimsoll/core/platform";
export type { Ecosystem } from "@plimsoll/core/plugins";
export { parseVulnerabilityReportJson, toIndexReportJson, toVulnerabilityReportJson } from "@plimsoll/core/report";
export { compareSeverity, findSeverity, type Severity, severities } from "@plimsoll/core/severity";
export { versionSchemes } from "@plimsoll/core/versions";
export { parseVex, type VexStatement } from "@plimsoll/core/vex";
export {
  type Artifact,
  type ArtifactFile,
  attachArtifact,
  type BuildJavaIndexOptions,
  type BuiltJavaIndex,
  buildJavaIndex,
  defaultLayerBudget,
  type EngineHosts,
  type EngineOptions,
  fromArchive,
  fromArchiveStream,
  fromContainerd,
  fromDir,
  fromDocker,
  fromDockerArchive,
  fromFile,
  fromOciArchive,
  fromOciDir,
  fromPodman,
  fromPurls,
  fromRegistry,
  fromSbom,
  type HostEnvironment,
  hostCertificates,
  hostCredentials,
  hostEngines,
  hostEnvironment,
  type ImageSource,
  type IndexEvent,
  type IndexedImage,
  type IndexOptions,
  type LayerBudget,
  type ListOptions,
  openRegistryReports,
  type ParseSourceOptions,
  parseSource,
  type RegistryOptions,
  type RegistryReport,
  type RegistryReports,
  type RegistryReportsOptions,
} from "@plimsoll/indexer";
export type {
  ChosenFeed,
  DroppedRecords,
  FailedUpdate,
  FeedAccount,
  FeedProblem,
  FeedStatus,
  ImportEvent,
  UpdateEvent,
  UpdateResult,
} from "@plimsoll/matcher";
export { hostProxy, type ProxySettings } from "@plimsoll/outbound";
export { StoreError } from "@plimsoll/store";
export { hostPlatform } from "./adapters/host-platform.ts";
export type { AffectedImage, AffectedImages } from "./affected-images.ts";
export type { PulledDatabase, RegistryUse } from "./database-artifact.ts";
export type { DatabaseStatus } from "./database-status.ts";
export type { Finding, FindingFilter } from "./findings.ts";
export {
  findJavaIndex,
  type JavaIndexOptions,
  type JavaIndexSource,
  type JavaIndexStatus,
  type JavaIndexUpdate,
  javaIndexFeed,
  updateJavaIndex,
} from "./java-index.ts";
export { type MatchOptions, openScanner, type Scanner, type ScannerOptions, type ScanOptions } from "./open-scanner.ts";
export { type ScanReport, scanReport } from "./scan-report.ts";
export { index, match, type StandAloneIndexOptions, type StandAloneMatchOptions } from "./stand-alone.ts";
export {
  type ExplainedImage,
  type StatedOptions,
  type StatedScan,
  scanOfReport,
  withStatements,
  withStatementsExplained,
} from "./stated-report.ts";
export type { UpdateFeedsOptions } from "./update-feeds.ts";
