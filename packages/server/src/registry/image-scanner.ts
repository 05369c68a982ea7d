import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import {
  addStatedPackages,
  type Coverage,
  coverageEnrichment,
  coverageOfReport,
  coverageUnknown,
  type ExtendedReport,
  type Manifest,
  type Problem,
  parseVulnerabilityReportJsonInSlices,
  type StatedSbomPackage,
  toVulnerabilityReportJsonInSlices,
} from "@plimsoll/core/internal";
import type { Json, VulnerabilityReportJson } from "@plimsoll/core/report";
import type { FailedUpdate, FeedAccount, FeedStatus, MatchService } from "@plimsoll/matcher";
import type {
  FeedRecords,
  ImageFeed,
  ImageScanner,
  LoadedFeed,
  ScannableImage,
  ScannerFeeds,
  ScanOutcome,
} from "@plimsoll/registry";
import { cooperativeYield } from "@plimsoll/store";
import { skipRuleMeaning } from "../render/footer.ts";
import type { BlobLayers } from "./layer-observer.ts";

/** An indexer, in this process or another. */
export interface IndexSource {
  /** The index state. */
  state(): string | Promise<string>;
  submit(manifest: Manifest, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** The report of an image: `described` has what records of packages say besides. */
  findReport(digest: Digest, form?: "described"): Promise<IndexReport | undefined>;
  /** See {@link ImageScanner.findImages}. */
  findImages: ImageScanner["findImages"];
  deleteMany(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** The indexed images, see {@link ImageScanner.list}. */
  list(after: string): Promise<readonly Digest[]>;
}

/** The members of an indexer that has other users besides the registry, which must not delete their images. */
export const sharedIndexer = { list: async () => [] } satisfies Partial<IndexSource>;

/** The loaded and the expected feeds of a matcher, and their failed updates. */
export interface FeedsOfMatcher {
  readonly loaded: readonly FeedStatus[];
  /** Names of the feeds that should be loaded. */
  readonly expected: readonly string[];
  /** Feeds whose last update failed, including those that are neither loaded nor expected any more. */
  readonly failures: readonly FailedUpdate[];
}

/** A matcher, in this process or another. */
export interface ReportSource {
  /** Its feeds; undefined if the matcher cannot list them. */
  feeds(): Promise<FeedsOfMatcher | undefined>;
  /** See {@link ImageScanner.names}. */
  names(asked: string): Promise<readonly string[]>;
  /** The report of an indexed image; undefined while the matcher has no advisories yet. One of another matcher has only the contract's members. */
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReportJson | undefined>;
  /** The report for an index report that no indexer has; undefined if the matcher only accepts digests. */
  match(index: IndexReport, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReportJson | undefined>;
}

/** The members of a matcher that has nothing beyond the contract: it only reports. */
export const basicMatcher = {
  feeds: async () => undefined,
  names: async (asked: string) => [asked],
  match: async () => undefined,
} satisfies Partial<ReportSource>;

/**
 * The matcher of this process as a source of reports.
 * @param expected names of the feeds that should be loaded
 * @param failures the feeds whose last update failed
 * @param names the names of a vulnerability
 */
export function localReports(
  matcher: MatchService,
  { expected, failures, names }: FeedQueries & Pick<ReportSource, "names">,
): ReportSource {
  return {
    names,
    feeds: async () => ({
      loaded: await matcher.feedStates(),
      expected: await expected(),
      failures: await failures(),
    }),
    report: async (digest, options) =>
      toVulnerabilityReportJsonInSlices(await matcher.report(digest, options), cooperativeYield()),
    match: async (index, options) =>
      toVulnerabilityReportJsonInSlices(await matcher.match(index, options), cooperativeYield()),
  };
}

type FeedQueries = { readonly [Part in "expected" | "failures"]: () => Promise<FeedsOfMatcher[Part]> };

/** The indexer and the matcher, in this process or another, and what the registry needs to use them. */
export interface ScannerServices {
  readonly indexer: IndexSource;
  readonly matcher: ReportSource;
  readonly layers: BlobLayers;
  readonly clock: { now(): number };
  /** The age from which a feed counts as outdated. */
  readonly feedMaxAgeDays: number;
  /** How findings in kernel packages are treated; by default like others. */
  readonly kernel?: "set-aside";
}

/** Implements the registry's scanner port with an indexer and a matcher. */
export function imageScanner({
  indexer,
  matcher,
  layers,
  clock,
  feedMaxAgeDays,
  kernel,
}: ScannerServices): ImageScanner {
  const oldestAt = () => clock.now() - feedMaxAgeDays * dayMs;
  return {
    kernel,
    names: (asked) => matcher.names(asked),
    async feeds() {
      const found = await matcher.feeds();
      return found && scannerFeeds(found, oldestAt());
    },
    state: async () => indexer.state(),
    async index(image, options = {}) {
      const manifest: Manifest = {
        digest: image.digest,
        layers: image.layers.map(({ digest, mediaType }) => ({
          digest,
          mediaType,
          uri: layers.addressOf(digest),
          headers: {},
        })),
      };
      await indexer.submit(manifest, options);
    },
    findImages: (question, options) => indexer.findImages(question, options),
    async delete(digests, options = {}) {
      await indexer.deleteMany(digests, options);
    },
    list: (after) => indexer.list(after),
    async inventory(image) {
      const index = await findFinished(indexer, image, "described");
      return "status" in index ? index : { status: "scanned", index };
    },
    async find(image, { stated = [], ...options } = {}): Promise<ScanOutcome> {
      const indexed = await findIndexed(indexer, image, stated);
      if (indexed.status !== "indexed") return indexed;
      const { coverage, extended } = indexed;
      const { added = [], unmatched = [] } = extended ?? {};
      const asOne = extended && added.length > 0 ? await matcher.match(extended.report, options) : undefined;
      const found = asOne ?? (await matcher.report(image.digest, options));
      if (found === undefined) return { status: "queued" };
      const listed = { unmatched: asOne ? unmatched : [...added, ...unmatched] };
      if (!hasCoverage(found)) return { status: "scanned", ...(await foreignScan(found, coverage)), ...listed };
      return {
        status: "scanned",
        coverage: withMatching(coverage, found),
        report: found,
        feeds: feedsOf(found, oldestAt()),
        ...listed,
      };
    },
  };
}

function scannerFeeds({ loaded, expected, failures }: FeedsOfMatcher, oldestAt: number): ScannerFeeds {
  const names = new Set(loaded.map(({ name }) => name));
  const missing = expected.filter((name) => !names.has(name)).sort();
  for (const name of missing) names.add(name);
  return {
    loaded: loaded.map((feed) => loadedFeed(feed, oldestAt)),
    missing,
    failures: failures
      .filter(({ updater }) => names.has(updater))
      .map(({ updater, failedAt, message }) => ({ name: updater, failedAt, reason: message })),
  };
}

function loadedFeed(
  { name, kind, rows, dropped, account, changedAt, checkedAt }: FeedStatus,
  oldestAt: number,
): LoadedFeed {
  const records = account === undefined ? {} : { records: feedRecords(account) };
  return {
    name,
    kind,
    rows,
    dropped: dropped.count,
    ...records,
    changedAt,
    checkedAt,
    isOutdated: checkedAt < oldestAt,
  };
}

function feedRecords({ records, skipped, ...counts }: FeedAccount): FeedRecords {
  return {
    total: records,
    ...counts,
    skipped: skipped.map((each) => ({ ...each, meaning: skipRuleMeaning(each.rule) })),
  };
}

/** What the registry needs from the index report. The report itself may be large, so it is not kept during matching. */
async function findIndexed(
  indexer: IndexSource,
  image: ScannableImage,
  stated: readonly StatedSbomPackage[],
): Promise<UnscannedImage | IndexedImage> {
  const index = await findFinished(indexer, image);
  if ("status" in index) return index;
  const { coverage } = index;
  return { status: "indexed", coverage, extended: stated.length > 0 ? addStatedPackages(index, stated) : undefined };
}

async function findFinished(
  indexer: IndexSource,
  image: ScannableImage,
  form?: "described",
): Promise<UnscannedImage | IndexReport> {
  const index = await indexer.findReport(image.digest, form);
  if (index?.state === "IndexError") return { status: "failed", reason: index.error ?? "" };
  if (index?.state !== "IndexFinished" || !index.success) return { status: "queued" };
  return isOf(image, index) ? index : { status: "failed", reason: "the scanner's report is about other layers" };
}

type UnscannedImage = Exclude<ScanOutcome, { readonly status: "scanned" }>;

interface IndexedImage {
  readonly status: "indexed";
  readonly coverage: Coverage;
  /** The report with the packages that documents state; absent without such documents. */
  readonly extended?: ExtendedReport;
}

/**
 * Clients of the scanner choose the digest of a manifest freely. So a report is about an image only if the layers agree. Another indexer may only
 * say which layers added packages.
 */
function isOf({ layers }: ScannableImage, { coverage, environments }: IndexReport): boolean {
  if (isUnknown(coverage)) {
    const known = new Set(layers.map(({ digest }) => digest));
    const seen = Object.values(environments).flat();
    return seen.every(({ introducedIn }) => introducedIn === undefined || known.has(introducedIn));
  }
  const read = coverage.layers.map(({ digest }) => digest);
  return read.length === layers.length && layers.every(({ digest }, index) => digest === read[index]);
}

function isUnknown({ problems }: Coverage): boolean {
  return problems.some(({ code }) => code === coverageUnknown);
}

/** The coverage of the index report, with the packages that could not be judged and the problems of matching. */
function withMatching(coverage: Coverage, report: VulnerabilityReportJson): Coverage {
  const { problems = [], undecided } = coverageOfReport(report) ?? {};
  const isKnown = ({ at, code, message }: Problem) =>
    coverage.problems.some((each) => each.at === at && each.code === code && each.message === message);
  const added = problems.filter((each) => !ofUnknownIndex.has(each.code) && !isKnown(each));
  if (added.length === 0 && undecided === undefined) return coverage;
  const all = [...coverage.problems, ...added];
  return { ...coverage, status: "partial", problems: all, undecided: undecided ?? coverage.undecided };
}

/** The codes of problems that a matcher adds if it does not know the coverage of the index report, which is known here. */
const ofUnknownIndex: ReadonlySet<string> = new Set([coverageUnknown, "unplaced_packages"]);

/** Whether a report says what its matcher looked at. Ours always do. */
function hasCoverage({ enrichments = {} }: Partial<VulnerabilityReportJson>): boolean {
  return Object.hasOwn(enrichments, coverageEnrichment);
}

/**
 * A report of another matcher with all members that ours have. It has no feeds: nothing says whether advisories for the distributions and
 * languages of the image were loaded.
 */
async function foreignScan(found: VulnerabilityReportJson, coverage: Coverage) {
  const report = await parseVulnerabilityReportJsonInSlices(found as unknown as Json, cooperativeYield());
  const message = "it does not say for which distributions and languages it has advisories";
  const problem = { at: "vulnerability report", code: "feeds_unknown", message };
  return {
    coverage: { ...coverage, status: "partial" as const, problems: [...coverage.problems, problem] },
    report: await toVulnerabilityReportJsonInSlices(report, cooperativeYield()),
  };
}

const dayMs = 86_400_000;

/** The feeds that a report was made with, from its coverage enrichment, which our matcher always writes. */
function feedsOf({ enrichments }: VulnerabilityReportJson, oldestAt: number): readonly ImageFeed[] {
  const [coverage] = enrichments[coverageEnrichment] ?? [];
  const { feeds = [] } = (coverage ?? {}) as { readonly feeds?: readonly FeedJson[] };
  return feeds.map(({ ecosystem, covered, checked_at: checkedAt }) => ({
    ecosystem,
    isCovered: covered,
    isOutdated: checkedAt !== undefined && Date.parse(checkedAt) < oldestAt,
    checkedAt,
  }));
}

interface FeedJson {
  readonly ecosystem: string;
  readonly covered: boolean;
  readonly checked_at?: string;
}
