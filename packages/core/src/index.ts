export type { ByteParts } from "./bytes/byte-parts.ts";
export type { Bytes } from "./bytes/bytes.ts";
export type { JoinBytes } from "./bytes/concat-bytes.ts";
export type { DamagedPart } from "./bytes/damaged-part.ts";
export { defaultLimits, type Limits } from "./bytes/limits.ts";
export { MemoryBudget } from "./bytes/memory-budget.ts";
export { type Peeked, peekBytes } from "./bytes/peek-bytes.ts";
export { pureHasher } from "./bytes/pure-hasher.ts";
export { utf8Of } from "./bytes/utf8-of.ts";
export type { KnownCompression } from "./compression/compression-of.ts";
export { type DecompressedOptions, decompressedDocument } from "./compression/decompressed-document.ts";
export { allDistributions } from "./distributions/all.ts";
export { findEndOfLife } from "./distributions/shared/find.ts";
export type {
  AdvisoryKeyOf,
  KnownDistribution,
  OsvPart,
  PackagingSystem,
  Release,
} from "./distributions/shared/known-distribution.ts";
export { allEcosystems } from "./ecosystems/all.ts";
export { apk } from "./ecosystems/apk/index.ts";
export { dpkg } from "./ecosystems/dpkg/index.ts";
export { type JavaIndexFile, readJavaIndex } from "./ecosystems/java/java-index.ts";
export { type ArchiveOfFolder, classDigestsOf, publishedAs } from "./ecosystems/java/published-as.ts";
export { defineLanguage, type Language } from "./ecosystems/language/define-language.ts";
export { linux } from "./ecosystems/linux/index.ts";
export { isOsRelease } from "./ecosystems/linux/release-files.ts";
export { rpm } from "./ecosystems/rpm/index.ts";
export { createEngine, type Engine, type EngineOptions } from "./engine.ts";
export { allEnrichers } from "./enrichers/all.ts";
export type { CveFacts } from "./enrichers/cve/cve-record.ts";
export { cveFactsOf } from "./enrichers/cve/facts.ts";
export { cveType, cvssType, epssType, kevType, ratingsType } from "./enrichers/enrichment-types.ts";
export { ScanError, type ScanErrorCode, scanErrorCodes } from "./errors.ts";
export { LayerEvidence } from "./evidence/layer-evidence.ts";
export { allUpdaters } from "./feeds/all.ts";
export { raisedDebianSeverity } from "./feeds/debian-tracker/raised-severity.ts";
export { defaultEcosystems } from "./feeds/default-ecosystems.ts";
export { type OsvOptions, osvUpdater } from "./feeds/osv/updater.ts";
export { type FileUse, fileProblem } from "./file-problem.ts";
export { type ArchiveOptions, fromArchiveBlob, fromArchiveStream } from "./image/archive/from-archive.ts";
export type { BlobLike } from "./image/archive/random-access.ts";
export {
  defaultRegistry,
  formatImageReference,
  type ImageReference,
  parseImageReference,
} from "./image/image-reference.ts";
export type {
  AttachedDocuments,
  BlobLayer,
  ExpectedLayer,
  FileRange,
  FilesTogether,
  FolderReader,
  ForeignLayer,
  FoundInLayer,
  FoundLayer,
  ImageSource,
  LayerBytes,
  LayerReader,
  LayerReaders,
  LayerReading,
  OpenedSource,
  OpenSourceOptions,
  ReadAttachedOptions,
  ReadLayer,
  SourceImage,
  SourceLayer,
  TogetherReader,
} from "./image/image-source.ts";
export { coalesce } from "./index/coalesce.ts";
export {
  coalesceDatabases,
  type DatabaseCoalescing,
  type ListedPackage,
  type OriginOf,
  repositoryFiles,
} from "./index/coalesce-databases.ts";
export { coalesceFiles } from "./index/coalesce-files.ts";
export { type DetectingEngine, detectLayer, wantedByAny } from "./index/detect-layer.ts";
export { type FilesApart, type FilesOfLayer, filesApart, type LogAlone, type Separated } from "./index/files-apart.ts";
export type { ImageLayer } from "./index/image-layer.ts";
export { indexImage, openImages } from "./index/index-image.ts";
export type { IndexEvent, IndexedImage, IndexOptions } from "./index/index-options.ts";
export type {
  IndexPorts,
  LayerPorts,
  LayerSingleFlight,
  MadeReport,
  ReadImage,
  ReadImageLayer,
} from "./index/index-ports.ts";
export { type IndexSourceOptions, indexSource } from "./index/index-source.ts";
export { type JoinedFiles, joinFiles } from "./index/join-files.ts";
export { boundlessLayerCache, type LayerCache } from "./index/layer-cache.ts";
export type { LayerFindings } from "./index/layer-findings.ts";
export { type LayerPlatform, layerReaderFor } from "./index/layer-reader.ts";
export { listReport, type PackageList, type StatedPackage } from "./index/list-report.ts";
export { onlyImage } from "./index/only-image.ts";
export { togetherReaderFor } from "./index/together-reader.ts";
export { createGunzip, type GunzipOptions } from "./inflate/gunzip.ts";
export type { Crc32 } from "./inflate/gzip-members.ts";
export { FileInspection } from "./layer/file-inspection.ts";
export type {
  InspectedFindings,
  KeptFile,
  LayerContents,
  LayerShape,
  PathSet,
  ReadLayerOptions,
} from "./layer/layer-contents.ts";
export { SymbolicLinks } from "./layer/links.ts";
export { createOverlay, type Overlay, survives } from "./layer/overlay.ts";
export { hashPath } from "./layer/path-hash.ts";
export { buildPathSet, decodePathSet, nothingChanged, pathSetOf } from "./layer/path-set.ts";
export { normalizePath } from "./layer/paths.ts";
export { readLayer } from "./layer/read-layer.ts";
export { type Compression, type Sniffed, sniff } from "./layer/sniff.ts";
export { advisorySourceOf } from "./match/advisory-source-of.ts";
export { candidatesOf, otherIdentitiesOf } from "./match/candidates-of.ts";
export type { CompletedRecords } from "./match/complete-repositories.ts";
export { type ChangedPackage, diffPackages, type PackageDiff } from "./match/diff-packages.ts";
export {
  type AddedCause,
  type ChangedFinding,
  diffReports,
  type RemovedCause,
  type ReportDiff,
  type ReportFinding,
} from "./match/diff-reports.ts";
export type { EnrichmentSource } from "./match/enrich.ts";
export type { ExplainedRecord, Explanation, ExplanationAnswer, Question, StatementOnFinding } from "./match/explain.ts";
export { explainReport } from "./match/explain-report.ts";
export { findsAdvisories } from "./match/finds-advisories.ts";
export { firstOfKeys } from "./match/first-of-keys.ts";
export { formatExplanation } from "./match/format-explanation.ts";
export { indexRecords } from "./match/index-records.ts";
export type { AffectedVerdict, Judgement, NotAffectedVerdict, UndecidedVerdict } from "./match/judgement.ts";
export { type LanguageRules, languageMatcher, type PartsFinding, type Unreleased } from "./match/language-matcher.ts";
export { type LookupKeys, lookupKeys } from "./match/lookup-keys.ts";
export {
  keysOfRecord,
  type MatchOptions,
  type MatchResult,
  matchRecords,
} from "./match/match-records.ts";
export { type MatchingEngine, type MatchReportOptions, matchReport } from "./match/match-report.ts";
export type { UndecidedRecord } from "./match/missing-facts.ts";
export { narrowReport } from "./match/narrow-report.ts";
export { ownerOf } from "./match/owners.ts";
export type { ReportInventory } from "./match/package-identities.ts";
export { type ParsedDocument, parseJsonInSlices } from "./match/parse-json-in-slices.ts";
export { findRange, maxVersion, type RangeFinding, sortVersions } from "./match/range.ts";
export { shownRating } from "./match/ratings.ts";
export { keysOfVerdicts, type MatchFacts, recordsToJudge } from "./match/records-to-judge.ts";
export type {
  EnricherCoverage,
  Suppressed,
  Undecided,
  Vulnerability,
  VulnerabilityRange,
  VulnerabilityReport,
} from "./match/report.ts";
export {
  compareRisk,
  type ExploitScore,
  missingRiskFacts,
  type Risk,
  type RiskData,
  type RiskFact,
  type RiskSources,
  riskData,
  riskFinder,
  risksOf,
} from "./match/risk.ts";
export { sharingNames } from "./match/share-names.ts";
export type { TraceStep } from "./match/trace.ts";
export { undecidedText } from "./match/undecided-text.ts";
export { findCve, type NamedAdvisory, vulnerabilityNames } from "./match/vulnerability-names.ts";
export type {
  Advisory,
  AdvisoryImport,
  AdvisoryRange,
  AdvisoryRule,
  ArchCondition,
  ArchOperation,
} from "./model/advisory.ts";
export type { ParseSteps } from "./model/attestation.ts";
export { type Cpe, formatCpe, formatCpeUri, parseCpe } from "./model/cpe/format.ts";
export { type CpeRelation, compareCpe, cpeMatches, cpeStartsWith } from "./model/cpe/match.ts";
export { parseWfn } from "./model/cpe/parse.ts";
export type { Wfn, WfnAttribute } from "./model/cpe/wfn.ts";
export type { CvssScores } from "./model/cvss/cvss-scores.ts";
export type { CvssVersion } from "./model/cvss/metrics.ts";
export { cvssScore, cvssScores, cvssSeverity } from "./model/cvss/score.ts";
export { type Cvss, parseCvss } from "./model/cvss/vector.ts";
export { derivedCpe } from "./model/derived-cpe.ts";
export {
  type Digest,
  type DigestAlgorithm,
  digestAlgorithm,
  digestHex,
  isDigest,
  parseDigest,
} from "./model/digest.ts";
export type { Distribution } from "./model/distribution.ts";
export { type DistributionEnd, type EndOfLife, endedAt, type PackageEnd } from "./model/end-of-life.ts";
export { isForDevelopment } from "./model/for-development.ts";
export {
  type Descriptor,
  type HistoryEntry,
  type ImageConfig,
  type ImageIndex,
  type ImageLayerDescriptor,
  type ImageManifest,
  isAttestation,
  maxDocumentBytes,
  pairLayers,
  parseImageConfig,
  parseImageIndex,
  parseImageManifest,
} from "./model/image-manifest.ts";
export {
  type Coverage,
  coverageUnknown,
  type DatabaseCoverage,
  type Environment,
  type EvidencePath,
  type IndexProgress,
  type IndexReport,
  indexStates,
  type LayerCoverage,
  maxEvidencePaths,
  type PackageFact,
  type Problem,
  packageFacts,
  type UnassessedKind,
  type UnassessedPackages,
  type UndecidedPackages,
  unassessedKinds,
} from "./model/index-report.ts";
export { parseJson } from "./model/json.ts";
export type { Json } from "./model/json-value.ts";
export {
  findMediaTypeKind,
  isForeignLayer,
  isImageManifest,
  isIndex,
  isLayer,
  type MediaTypeKind,
  mediaTypes,
} from "./model/media-types.ts";
export {
  candidateKey,
  developmentScope,
  distributionPackageKey,
  type FoundPackage,
  languageKey,
  linkedPartsKey,
  mainModuleKey,
  otherIdentityKey,
  type Package,
  type PackageKind,
  type PackageRepository,
  scopeKey,
  thirdPartyKey,
} from "./model/package.ts";
export { lookupName } from "./model/package-name.ts";
export { type DistributionPurlType, packagePurl } from "./model/package-purl.ts";
export {
  choosePlatform,
  formatPlatform,
  normalizePlatform,
  type Platform,
  parsePlatform,
  platformMatches,
} from "./model/platform.ts";
export { formatPurl, type PackageUrl, type Purl, parsePurl } from "./model/purl.ts";
export { isKnownPurlType, type PurlRecord, purlRecord } from "./model/purl-record.ts";
export { type Rater, type Rating, scoreOfText } from "./model/rating.ts";
export { recordPurl } from "./model/record-purl.ts";
export { type Manifest, type ManifestLayer, parseManifest, toManifestJson } from "./model/scan-manifest.ts";
export { compareSeverity, findSeverity, type Severity, severities } from "./model/severity.ts";
export type { Steps, YieldToOthers } from "./model/slices.ts";
export { trimEnd } from "./model/trim-end.ts";
export type { CoalescedPackage, Coalescer, EcosystemLayer, FileOwner, ImageView } from "./plugins/coalescer.ts";
export type {
  ArchiveFormat,
  BuildMark,
  Detector,
  FileDetector,
  FileEntry,
  FileOwners,
  LayerFile,
  LayerFiles,
  LayerLink,
  LockFileEntry,
  OuterArchive,
  OwnedFiles,
  PathDetector,
  ReadingBudget,
} from "./plugins/detector.ts";
export type { Ecosystem } from "./plugins/ecosystem.ts";
export type {
  Enricher,
  EnrichmentRecord,
  LifecycleEnricher,
  ReleaseEnd,
  RepositoryEnricher,
} from "./plugins/enricher.ts";
export type { Feed, FeedDocument, FeedFolder, FeedReader } from "./plugins/feed.ts";
export type {
  DatabaseFinding,
  DistributionFinding,
  EvidenceFinding,
  Finding,
  LinkFinding,
  ListingFinding,
  LockedFinding,
  LogFinding,
  OriginsFinding,
  OwnedFinding,
  PackageFinding,
  PackageOrigins,
  ProblemFinding,
  RepositoryFinding,
  SettingFinding,
} from "./plugins/finding.ts";
export type { JavaCoordinates, Lookups, OpenIndexFile, PublishedArtifact } from "./plugins/lookups.ts";
export type {
  IndexRecord,
  Matcher,
  MatchKey,
  NotAffectedReason,
  Trace,
  UndecidedReason,
  Verdict,
} from "./plugins/matcher.ts";
export type { FileNames } from "./plugins/plugins-by-name.ts";
export {
  type FeedItem,
  type FeedRecord,
  type FeedScope,
  type Fingerprint,
  type RecordChange,
  type SkipRule,
  skipRules,
  type Update,
  type Updater,
} from "./plugins/updater.ts";
export type { VersionScheme } from "./plugins/version-scheme.ts";
export type {
  AdvisorySource,
  CreateHasher,
  Decompress,
  DecompressOptions,
  Decompressors,
  FeedCoverage,
  Hasher,
  Scratch,
  ScratchContent,
} from "./ports.ts";
export { addStatedPackages, type ExtendedReport, type StatedSbomPackage } from "./sbom/add-stated-packages.ts";
export { purlReport } from "./sbom/purl-report.ts";
export { readSbom, readSbomInSlices, type SlicedReading } from "./sbom/read-sbom.ts";
export type { Sbom, SbomFormat, SbomGaps, SbomPackage, SbomProblem, SbomSubject } from "./sbom/sbom.ts";
export { sbomReport } from "./sbom/sbom-report.ts";
export { gapMessage, gapProperties, type SbomProperty } from "./sbom/stated-gaps.ts";
export type { TarEntry, TarKind, TarVisitor, Watcher } from "./tar/entry.ts";
export {
  hasValidChecksum,
  headerLinkName,
  headerName,
  headerSize,
  headerType,
  isZeroBlock,
} from "./tar/header.ts";
export { readLongName } from "./tar/long-names.ts";
export { mergePax, noPaxRecords, type PaxRecords, parsePax, paxNumber, paxText } from "./tar/pax.ts";
export { type TarLimits, TarWalker } from "./tar/walk.ts";
export { versionSchemes } from "./version-schemes.ts";
export type { Order } from "./versions/define-order.ts";
export type { MavenQualifier } from "./versions/maven/qualifier.ts";
export type { VersionToken } from "./versions/tokens.ts";
export { applyStatements, applyStatementsInSlices, type StatedReport } from "./vex/apply-statements.ts";
export {
  type AttachedDocument,
  attachedKinds,
  type DocumentKind,
  documentsOf,
  parseAttachedInSlices,
  predicatesOf,
  type ReadableDocuments,
  readableDocuments,
  type StoredDocument,
  sbomKind,
  vexKind,
} from "./vex/attached-artifacts.ts";
export { type ExplainedStatements, explainStatements } from "./vex/explain-statements.ts";
export type { StatedPackages, StatementContext } from "./vex/find-statement.ts";
export { mayBeOfKernel } from "./vex/kernel-packages.ts";
export { parseVex, readVexInSlices } from "./vex/parse-vex.ts";
export { purlCovers, type StatedImage } from "./vex/product.ts";
export type { VexProduct, VexStatement, VexStatus } from "./vex/statement.ts";
export {
  parseIndexReportJson,
  toCoveredIndexReportJson,
  toCoveredIndexReportJsonInSlices,
  toIndexReportJson,
  toIndexReportJsonInSlices,
} from "./wire/index-report.ts";
export {
  coverageOfReport,
  parseVulnerabilityReportJson,
  parseVulnerabilityReportJsonInSlices,
} from "./wire/parse-vulnerability-report.ts";
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
} from "./wire/shapes.ts";
export {
  aliasesEnrichment,
  coverageEnrichment,
  toVulnerabilityJson,
  toVulnerabilityReportJson,
  toVulnerabilityReportJsonInSlices,
} from "./wire/vulnerability-report.ts";
export { type RuledVulnerabilityJson, type RuleJson, toRuledVulnerabilityJson } from "./wire/vulnerability-rule.ts";
export {
  eachVulnerabilitySummary,
  parseVulnerabilitySummaries,
  type VulnerabilitySummary,
} from "./wire/vulnerability-summaries.ts";
export { withoutCredentials } from "./without-credentials.ts";
export { type WithoutUndefined, withoutUndefined } from "./without-undefined.ts";
export type { Archive } from "./zip/archive.ts";
export { listZip, type ZipSource } from "./zip/list-zip.ts";
export type { ZipEntry } from "./zip/read-directory.ts";
export { openZip, type ReadZipEntry } from "./zip/read-zip.ts";
export type { ReadAt } from "./zip/reading.ts";
