/** The interfaces of ecosystems, detectors, matchers, updaters and enrichers, for their authors. */
export type { ByteParts } from "../bytes/byte-parts.ts";
export { coalesceFiles } from "../index/coalesce-files.ts";
export type { FoundPackage } from "../model/package.ts";
export type { CoalescedPackage, Coalescer, ImageView } from "../plugins/coalescer.ts";
export type { DetectOptions, Detector, FileDetector, FileEntry, LayerFile, LayerFiles } from "../plugins/detector.ts";
export type { Ecosystem } from "../plugins/ecosystem.ts";
export type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";
export type { Feed, FeedReader } from "../plugins/feed.ts";
export type { Finding } from "../plugins/finding.ts";
export type { Matcher, Trace, Verdict } from "../plugins/matcher.ts";
export type { FileNames } from "../plugins/plugins-by-name.ts";
export type { FeedItem, Fingerprint, RecordChange, Update, Updater } from "../plugins/updater.ts";
