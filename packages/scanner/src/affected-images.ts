import type { Engine, IndexReport, VulnerabilityReport } from "@plimsoll/core";
import { type FeedCoverage, findsAdvisories, lookupKeys, narrowReport } from "@plimsoll/core/internal";
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

/** An image that has a vulnerability, or may have it. */
export interface AffectedImage {
  /** The names under which it was scanned, most recent first; empty if only a service has indexed it. */
  readonly names: readonly string[];
  /** When it was last scanned or indexed, in epoch milliseconds. */
  readonly indexedAt: number;
  /** Whether it was indexed with other detectors than those of this version: scanning it again may find more. */
  readonly isOutdated: boolean;
  /** The report of a scan of it, reduced to this vulnerability. */
  readonly report: ScanReport;
}

/** Which of the indexed images have a vulnerability. */
export interface AffectedImages {
  /** All names of the vulnerability, starting with the requested one. */
  readonly names: readonly string[];
  /** Whether any loaded feed covers it. */
  readonly isKnown: boolean;
  /** Number of images that were indexed with this database. */
  readonly indexedCount: number;
  /** Number of those that were indexed with other detectors than those of this version. */
  readonly outdatedCount: number;
  /**
   * Number of different packages of indexed images to which not all of their advisories lead, because facts about them are not known: their source
   * package, release or Maven group. An image with such a package may be affected without being listed. Packages of no known ecosystem are not
   * counted, since no advisory could name them.
   */
  readonly undecidedPackages: number;
  /** The images that are affected or may be, sorted by their first names. */
  readonly images: readonly AffectedImage[];
  /** Whether feeds cover the ecosystems of the indexed images. */
  readonly feeds: readonly FeedCoverage[];
}

/** What the search needs. */
export interface AffectedOptions {
  readonly store: Store<IndexerTables & MatcherTables>;
  readonly engine: Engine;
  /** Epoch milliseconds; feeds that were last checked earlier are `outdated`. */
  readonly outdatedBefore?: number;
  readonly signal?: AbortSignal;
}

/** Matches an image as a scan does. */
export type JudgeImage = (report: IndexReport) => Promise<VulnerabilityReport>;

/**
 * Looks for a vulnerability in all indexed images: finds the candidates with the reverse index and matches each as a scan does, so the
 * answer is the same as if each were scanned.
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
  const { feeds, undecidedPackages } = await assessRecords(options);
  const isKnown = keys.length > 0;
  return { names, isKnown, indexedCount, outdatedCount, undecidedPackages, images: images.toSorted(byName), feeds };
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

async function assessRecords({
  store,
  engine,
  outdatedBefore,
}: AffectedOptions): Promise<Pick<AffectedImages, "feeds" | "undecidedPackages">> {
  const ecosystems = new Set<string>();
  let undecidedPackages = 0;
  for await (const records of listRecords(store)) {
    const asked = lookupKeys(
      engine.matchers,
      records.map(({ record }) => record),
    );
    for (const ecosystem of asked.ecosystems) ecosystems.add(ecosystem);
    undecidedPackages += records.filter(({ record }) => !findsAdvisories(engine.matchers, record)).length;
  }
  const source = advisoriesOf(store, { outdatedBefore });
  return { feeds: await source.coverage([...ecosystems].sort()), undecidedPackages };
}
