import {
  type Engine,
  type FeedCoverage,
  type IndexReport,
  lookupKeys,
  narrowReport,
  type VulnerabilityReport,
} from "@plimsoll/core";
import {
  countIndexedImages,
  findIndexedImages,
  type IndexerTables,
  listRecords,
  type StoredImage,
} from "@plimsoll/indexer";
import { advisoriesOf, findNamedAdvisories, type MatcherTables } from "@plimsoll/matcher";
import type { Store } from "@plimsoll/store";
import { type ScanReport, scanReport } from "./scan-report.ts";

/** One image that has a vulnerability, or may have it. */
export interface AffectedImage {
  /** By which it was scanned, the last one first; none where only a service has indexed it. */
  readonly names: readonly string[];
  /** Epoch milliseconds: when it was scanned last, or indexed. */
  readonly indexedAt: number;
  /** Whether other detectors than those of this version read it: scanning it again may find more. */
  readonly isOutdated: boolean;
  /** What a scan says of it, without the other vulnerabilities. */
  readonly report: ScanReport;
}

/** Which of the indexed images have a vulnerability. */
export interface AffectedImages {
  /** All names of the vulnerability, the one that was asked for first. */
  readonly names: readonly string[];
  /** Whether any loaded feed covers it. */
  readonly isKnown: boolean;
  /** How many images were indexed with this database. */
  readonly indexedCount: number;
  /** How many of them other detectors than those of this version read. */
  readonly outdatedCount: number;
  /** Those that are affected, and those that may be; the order of their first names. */
  readonly images: readonly AffectedImage[];
  /** Whether feeds cover what the indexed images hold. */
  readonly feeds: readonly FeedCoverage[];
}

/** What they are looked for with. */
export interface AffectedOptions {
  readonly store: Store<IndexerTables & MatcherTables>;
  readonly engine: Engine;
  /** Epoch milliseconds: feeds that were last checked before are `outdated`. */
  readonly outdatedBefore?: number;
  readonly signal?: AbortSignal;
}

/** Judges an image as a scan does. */
export type JudgeImage = (report: IndexReport) => Promise<VulnerabilityReport>;

/**
 * Looks for a vulnerability in all indexed images: the reverse index says which may have it, and each of those is judged as a scan judges
 * it. So the answer is that of a scan of each.
 */
export async function findAffectedImages(
  options: AffectedOptions,
  vulnerability: string,
  judge: JudgeImage,
): Promise<AffectedImages> {
  const { store, engine, signal } = options;
  const { names, keys } = await findNamedAdvisories(store, vulnerability);
  const images: AffectedImage[] = [];
  for await (const image of findIndexedImages(store, { keys, keysState: engine.keysState })) {
    signal?.throwIfAborted();
    const report = narrowReport(await judge(image.report), names);
    if (Object.keys(report.packageVulnerabilities).length + report.undecided.length === 0) continue;
    images.push(affectedImage(image, report, engine));
  }
  const { indexedCount, outdatedCount } = await countIndexedImages(store, engine);
  const feeds = await findFeeds(options);
  const isKnown = keys.length > 0;
  return { names, isKnown, indexedCount, outdatedCount, images: images.toSorted(byName), feeds };
}

function affectedImage(image: StoredImage, vulnerabilities: VulnerabilityReport, { state }: Engine): AffectedImage {
  const { names, indexedAt, engineState, report } = image;
  const name = names[0] ?? report.manifestDigest;
  return {
    names,
    indexedAt,
    isOutdated: engineState !== state,
    report: scanReport({ source: name, reference: name, report: report }, vulnerabilities),
  };
}

function byName(a: AffectedImage, b: AffectedImage): number {
  return a.report.source < b.report.source ? -1 : 1;
}

async function findFeeds({ store, engine, outdatedBefore }: AffectedOptions): Promise<readonly FeedCoverage[]> {
  const ecosystems = new Set<string>();
  for await (const records of listRecords(store)) {
    const asked = lookupKeys(
      engine.matchers,
      records.map(({ record }) => record),
    );
    for (const ecosystem of asked.ecosystems) ecosystems.add(ecosystem);
  }
  const source = advisoriesOf(store, outdatedBefore === undefined ? {} : { outdatedBefore });
  return source.coverage([...ecosystems].sort());
}
