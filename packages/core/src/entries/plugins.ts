/** The interfaces of ecosystems, detectors, matchers, updaters and enrichers, for their authors. */

export type { EvidenceRules, WatchedEvidence } from "../evidence/evidence-rules.ts";
export { coalesceFiles } from "../index/coalesce-files.ts";
export type { FoundPackage } from "../model/package.ts";
export type { CoalescedPackage, Coalescer, EcosystemLayer, FileOwner, ImageView } from "../plugins/coalescer.ts";
export type {
  ArchiveFormat,
  ArchiveOpening,
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
} from "../plugins/detector.ts";
export type { Ecosystem } from "../plugins/ecosystem.ts";
export type {
  Enricher,
  EnrichmentRecord,
  LifecycleEnricher,
  ReleaseEnd,
  RepositoryEnricher,
} from "../plugins/enricher.ts";
export type { EvidenceRule, FileEvidence, FolderEvidence, MarkEvidence } from "../plugins/evidence.ts";
export type { Feed, FeedDocument, FeedFolder, FeedReader } from "../plugins/feed.ts";
export type {
  DatabaseFinding,
  DistributionFinding,
  EvidenceFinding,
  Finding,
  LinkFinding,
  ListingFinding,
  LockedFinding,
  LockedMember,
  LogFinding,
  NeedsFinding,
  OriginsFinding,
  OwnedFinding,
  PackageFinding,
  PackageOrigins,
  ProblemFinding,
  RepositoryFinding,
  SettingFinding,
  SymlinkFinding,
} from "../plugins/finding.ts";
export type { JavaCoordinates, Lookups, OpenIndexFile, PublishedArtifact } from "../plugins/lookups.ts";
export type { Matcher, Trace, Verdict } from "../plugins/matcher.ts";
export type { FileNames } from "../plugins/plugins-by-name.ts";
export type {
  FeedItem,
  FeedRecord,
  FeedScope,
  Fingerprint,
  RecordChange,
  SkipRule,
  Update,
  Updater,
} from "../plugins/updater.ts";
export type { Watcher } from "../tar/entry.ts";
