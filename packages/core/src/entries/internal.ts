/** For the packages of this repository. It may change in any release, and has no reference page. */

export { type ByteParts, contentOf, piecesOf } from "../bytes/byte-parts.ts";
export { MemoryBudget } from "../bytes/memory-budget.ts";
export { peekBytes } from "../bytes/peek-bytes.ts";
export { utf8Of } from "../bytes/utf8-of.ts";
export { decompressedDocument } from "../compression/decompressed-document.ts";
export { findEndOfLife } from "../distributions/shared/find.ts";
export { allEvidenceRules } from "../ecosystems/all-evidence.ts";
export { archivesIn, readJavaIndex } from "../ecosystems/java/java-index.ts";
export { classDigestsOf, publishedAs } from "../ecosystems/java/published-as.ts";
export { isOsRelease } from "../ecosystems/linux/release-files.ts";
export type { CveFacts } from "../enrichers/cve/cve-record.ts";
export { cveFactsOf } from "../enrichers/cve/facts.ts";
export { cveType, cvssType, epssType, kevType, ratingsType } from "../enrichers/enrichment-types.ts";
export { scanErrorCodes } from "../errors.ts";
export type { EvidenceRules } from "../evidence/evidence-rules.ts";
export { LayerEvidence } from "../evidence/layer-evidence.ts";
export { raisedDebianSeverity } from "../feeds/debian-tracker/raised-severity.ts";
export { defaultEcosystems } from "../feeds/default-ecosystems.ts";
export { otherFeedFor } from "../feeds/shared/known-forms.ts";
export { type FileUse, fileProblem } from "../file-problem.ts";
export { type ArchiveContents, type ArchiveSelection, storedLayer } from "../image/archive/archive-contents.ts";
export { openArchive, openArchiveStream } from "../image/archive/from-archive.ts";
export { findLayoutImages } from "../image/archive/layout-images.ts";
export type { RandomAccess } from "../image/archive/random-access.ts";
export { digestDocument, verifyDocument } from "../image/document-digest.ts";
export { findImages, type ImageStore } from "../image/find-images.ts";
export { defaultRegistry } from "../image/image-reference.ts";
export type {
  AttachedDocuments,
  BlobLayer,
  ExpectedLayer,
  FileRange,
  FilesTogether,
  ForeignLayer,
  FoundInLayer,
  FoundLayer,
  LayerBytes,
  LayerReader,
  LayerReaders,
  LayerReading,
  OpenedSource,
  OpenSourceOptions,
  ReadAttachedOptions,
  SourceImage,
  SourceLayer,
} from "../image/image-source.ts";
export { coalesce } from "../index/coalesce.ts";
export { chainsIn, type DependencyGraph, dependencyGraph } from "../index/dependency-graph.ts";
export { type DetectingEngine, detectLayer, wantedByAny } from "../index/detect-layer.ts";
export type { FilesApart } from "../index/files-apart.ts";
export { filesApart } from "../index/files-apart.ts";
export { indexImage, openImages } from "../index/index-image.ts";
export type { IndexEvent, IndexedImage, IndexOptions } from "../index/index-options.ts";
export type { LayerSingleFlight, ReadImage } from "../index/index-ports.ts";
export type { JoinedFiles } from "../index/join-files.ts";
export { joinFiles } from "../index/join-files.ts";
export type { ImageLayer } from "../index/layer-findings.ts";
export { layerReaderFor } from "../index/layer-reader.ts";
export { type PackageUse, packageUses, reachedPackages } from "../index/reached-packages.ts";
export { togetherReaderFor } from "../index/together-reader.ts";
export { createGunzip } from "../inflate/gunzip.ts";
export { FileInspection } from "../layer/file-inspection.ts";
export { findOpenLinks } from "../layer/follow-links.ts";
export { keptFile } from "../layer/kept-file.ts";
export type { KeptFile, LayerContents, PathSet, ReadLayerOptions } from "../layer/layer-contents.ts";
export { SymbolicLinks } from "../layer/links.ts";
export { survives } from "../layer/overlay.ts";
export { hashPath } from "../layer/path-hash.ts";
export { buildPathSet, decodePathSet, nothingChanged, pathSetOf } from "../layer/path-set.ts";
export { normalizePath } from "../layer/paths.ts";
export { readLayer } from "../layer/read-layer.ts";
export { type LicenseSummary, licensedPackages, summarizeLicenses } from "../licenses/spdx.ts";
export {
  choicesOf,
  licensesSatisfy,
  namesOfLicense,
  someLicense,
  spdxExpression,
} from "../licenses/spdx-expression.ts";
export { candidatesOf, otherIdentitiesOf } from "../match/candidates-of.ts";
export { type BillDiff, diffBills } from "../match/diff-bills.ts";
export type { ChangedPackage, PackageDiff } from "../match/diff-packages.ts";
export type { ReportDiff, ReportFinding } from "../match/diff-reports.ts";
export type { EnrichmentSource } from "../match/enrich.ts";
export type { Explanation } from "../match/explain.ts";
export { findsAdvisories } from "../match/finds-advisories.ts";
export { firstOfKeys, lookupKeys } from "../match/lookup-keys.ts";
export { keysOfRecord } from "../match/match-records.ts";
export type { MatchingEngine } from "../match/match-report.ts";
export { narrowReport } from "../match/narrow-report.ts";
export { ownerOf } from "../match/owners.ts";
export { packagesNamed } from "../match/package-identities.ts";
export { parseJsonInSlices } from "../match/parse-json-in-slices.ts";
export { maxVersion } from "../match/range.ts";
export { shownRating } from "../match/ratings.ts";
export type { MatchFacts } from "../match/records-to-judge.ts";
export { keysOfVerdicts, recordsToJudge } from "../match/records-to-judge.ts";
export type { Suppressed } from "../match/report.ts";
export type { Risk } from "../match/risk.ts";
export { missingRiskFacts, type RiskFact, riskData, riskFinder } from "../match/risk.ts";
export { sharingNames } from "../match/share-names.ts";
export { hidesNothing, undecidedPairsText, undecidedText } from "../match/undecided-text.ts";
export { findCve, vulnerabilityNames } from "../match/vulnerability-names.ts";
export type { AdvisoryRange } from "../model/advisory.ts";
export { derivedCpe } from "../model/derived-cpe.ts";
export type { DigestAlgorithm } from "../model/digest.ts";
export { releaseName } from "../model/distribution.ts";
export type { EndOfLife } from "../model/end-of-life.ts";
export { endedAt } from "../model/end-of-life.ts";
export { isForDevelopment } from "../model/for-development.ts";
export type { ImageConfig, ImageStart } from "../model/image-manifest.ts";
export {
  type Descriptor,
  type ImageLayerDescriptor,
  isAttestation,
  maxDocumentBytes,
  parseImageIndex,
  parseImageManifest,
  startIn,
} from "../model/image-manifest.ts";
export type {
  Coverage,
  IndexProgress,
  ListedFile,
  Problem,
  UnassessedKind,
  UnassessedPackages,
  UndecidedPackages,
} from "../model/index-report.ts";
export { coverageUnknown, indexStates } from "../model/index-report.ts";
export { parseJson } from "../model/json.ts";
export { findMediaTypeKind, mediaTypes } from "../model/media-types.ts";
export { distributionPackageKey, mainModuleKey, namePatternKey, thirdPartyKey, unstatedKey } from "../model/package.ts";
export type { PackageFile } from "../model/package-details.ts";
export { lookupName } from "../model/package-name.ts";
export { choosePlatform, normalizePlatform } from "../model/platform.ts";
export type { Rating } from "../model/rating.ts";
export { scoreOfText } from "../model/rating.ts";
export { recordPurl } from "../model/record-purl.ts";
export type { Manifest, ManifestLayer } from "../model/scan-manifest.ts";
export { parseManifest, toManifestJson } from "../model/scan-manifest.ts";
export {
  addressOf,
  isArchive,
  isRepository,
  type Party,
  pageOf,
  partiesOf,
  partyOf,
  supplierOf,
} from "../model/stated-parties.ts";
export { trimEnd } from "../model/trim-end.ts";
export type { BuildMark, FileEntry, LayerFile } from "../plugins/detector.ts";
export type { FeedDocument, FeedFolder } from "../plugins/feed.ts";
export type { EvidenceFinding, ProblemFinding } from "../plugins/finding.ts";
export type { JavaCoordinates, OpenIndexFile, PublishedArtifact } from "../plugins/lookups.ts";
export type { MatchKey } from "../plugins/matcher.ts";
export type { FeedRecord, FeedScope, RecordChange } from "../plugins/updater.ts";
export { skipRules } from "../plugins/updater.ts";
export type { CreateHasher, Decompress, Decompressors, FeedCoverage, Scratch, ScratchContent } from "../ports.ts";
export type { StatedSbomPackage } from "../sbom/add-stated-packages.ts";
export { addStatedPackages, type ExtendedReport } from "../sbom/add-stated-packages.ts";
export { readSbomInSlices } from "../sbom/read-sbom.ts";
export type { SbomPackage, SbomSubject } from "../sbom/sbom.ts";
export { gapMessage, gapProperties, type SbomProperty } from "../sbom/stated-gaps.ts";
export type { TarEntry, TarVisitor, Watcher } from "../tar/entry.ts";
export { hasValidChecksum, isZeroBlock } from "../tar/header.ts";
export { TarWalker } from "../tar/walk.ts";
export { applyStatementsInSlices } from "../vex/apply-statements.ts";
export type { DocumentKind } from "../vex/attached-artifacts.ts";
export {
  type AttachedDocument,
  attachedKinds,
  documentsOf,
  parseAttachedInSlices,
  predicatesOf,
  readableDocuments,
  sbomKind,
  vexKind,
} from "../vex/attached-artifacts.ts";
export { explainStatements } from "../vex/explain-statements.ts";
export { mayBeOfKernel } from "../vex/kernel-packages.ts";
export { readVexInSlices } from "../vex/parse-vex.ts";
export {
  toCoveredIndexReportJson,
  toCoveredIndexReportJsonInSlices,
  toDescribedIndexReportJsonInSlices,
  toIndexReportJsonInSlices,
} from "../wire/index-report.ts";
export { coverageOfReport, parseVulnerabilityReportJsonInSlices } from "../wire/parse-vulnerability-report.ts";
export type { CoveredIndexReportJson } from "../wire/shapes.ts";
export {
  aliasesEnrichment,
  coverageEnrichment,
  coverageRecord,
  toVulnerabilityReportJsonInSlices,
} from "../wire/vulnerability-report.ts";
export type { RuledVulnerabilityJson } from "../wire/vulnerability-rule.ts";
export { toRuledVulnerabilityJson } from "../wire/vulnerability-rule.ts";
export { eachVulnerabilitySummary, type VulnerabilitySummary } from "../wire/vulnerability-summaries.ts";
export { withoutUndefined } from "../without-undefined.ts";
export { listZip, type ZipSource } from "../zip/list-zip.ts";
export type { ZipEntry } from "../zip/read-directory.ts";
export { openZip } from "../zip/read-zip.ts";
