/** The interfaces of ecosystems, detectors, matchers, updaters and enrichers, for their authors. */
export { coalesceFiles } from "../index/coalesce-files.ts";
export type { Coalescer } from "../plugins/coalescer.ts";
export type { Detector, FileDetector } from "../plugins/detector.ts";
export type { Ecosystem } from "../plugins/ecosystem.ts";
export type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";
export type { Feed, FeedReader } from "../plugins/feed.ts";
export type { Finding } from "../plugins/finding.ts";
export type { Matcher, Verdict } from "../plugins/matcher.ts";
export type { FeedItem, Update, Updater } from "../plugins/updater.ts";
