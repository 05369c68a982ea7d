import {
  type Coverage,
  coverageEnrichment,
  type Digest,
  type IndexReport,
  type Manifest,
  toVulnerabilityReportJsonInSlices,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import type { FeedStatus, MatchService } from "@plimsoll/matcher";
import type { ImageFeed, ImageScanner, LoadedFeed, ScannableImage, ScanOutcome } from "@plimsoll/registry-api";
import { cooperativeYield } from "@plimsoll/store";
import type { BlobLayers } from "./blob-layers.ts";

/** An indexer, in this process or another. */
export interface IndexSource {
  /** The index state. */
  state(): string | Promise<string>;
  submit(manifest: Manifest, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  findReport(digest: Digest): Promise<IndexReport | undefined>;
  deleteMany(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** Images that it knows, see {@link ImageScanner.list}; absent where others use it too. */
  list?(after: string): Promise<readonly Digest[]>;
}

/** A matcher, in this process or another. */
export interface ReportSource {
  /** The feeds that it has loaded; absent where it does not tell. */
  feeds?(): Promise<readonly FeedStatus[]>;
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReportJson>;
}

/** A matcher of this process. */
export function localReports(matcher: MatchService): ReportSource {
  return {
    feeds: () => matcher.feedStates(),
    report: async (digest, options) =>
      toVulnerabilityReportJsonInSlices(await matcher.report(digest, options), cooperativeYield()),
  };
}

/** The services that say what is in images and what is wrong with them, in this process or another. */
export interface ScannerServices {
  readonly indexer: IndexSource;
  readonly matcher: ReportSource;
  readonly layers: BlobLayers;
  readonly clock: { now(): number };
  /** From which age on a feed counts as outdated. */
  readonly feedMaxAgeDays: number;
}

/** The scanner as the registry uses it. */
export function imageScanner({ indexer, matcher, layers, clock, feedMaxAgeDays }: ScannerServices): ImageScanner {
  const oldestAt = () => clock.now() - feedMaxAgeDays * dayMs;
  return {
    ...(matcher.feeds && {
      feeds: async () => ((await matcher.feeds?.()) ?? []).map((feed) => loadedFeed(feed, oldestAt())),
    }),
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
    async forget(digests, options = {}) {
      await indexer.deleteMany(digests, options);
    },
    list: async (after) => (await indexer.list?.(after)) ?? [],
    async find(image, options = {}): Promise<ScanOutcome> {
      const indexed = await findIndexed(indexer, image);
      if (indexed.status !== "indexed") return indexed;
      const { coverage } = indexed;
      const report = await matcher.report(image.digest, options);
      return { status: "scanned", coverage, report, feeds: feedsOf(report, oldestAt()) };
    },
  };
}

function loadedFeed({ name, kind, rows, dropped, changedAt, checkedAt }: FeedStatus, oldestAt: number): LoadedFeed {
  return { name, kind, rows, dropped: dropped.count, changedAt, checkedAt, isOutdated: checkedAt < oldestAt };
}

/** What is known before matching. Of the index report, which may be large, nothing else is kept meanwhile. */
async function findIndexed(indexer: IndexSource, image: ScannableImage): Promise<UnscannedImage | IndexedImage> {
  const index = await indexer.findReport(image.digest);
  if (index?.state === "IndexError") return { status: "failed", reason: index.error ?? "" };
  if (index?.state !== "IndexFinished") return { status: "queued" };
  const { coverage } = index;
  if (!isOf(image, coverage)) return { status: "failed", reason: "the scanner's report is one of other layers" };
  return { status: "indexed", coverage };
}

type UnscannedImage = Exclude<ScanOutcome, { readonly status: "scanned" }>;

interface IndexedImage {
  readonly status: "indexed";
  readonly coverage: Coverage;
}

/** Clients of the scanner name images as they like: a report is one of the image only if it is one of its layers. */
function isOf({ layers }: ScannableImage, coverage: Coverage): boolean {
  const read = coverage.layers.map(({ digest }) => digest);
  return read.length === layers.length && layers.every(({ digest }, index) => digest === read[index]);
}

const dayMs = 86_400_000;

/** The feeds that a report was made with: as its own enrichment has them, which a matcher of ours always writes. */
function feedsOf({ enrichments }: VulnerabilityReportJson, oldestAt: number): readonly ImageFeed[] {
  const [coverage] = enrichments[coverageEnrichment] ?? [];
  const { feeds = [] } = (coverage ?? {}) as { readonly feeds?: readonly FeedJson[] };
  return feeds.map(({ ecosystem, covered, checked_at: checkedAt }) => ({
    ecosystem,
    isCovered: covered,
    isOutdated: checkedAt !== undefined && Date.parse(checkedAt) < oldestAt,
    ...(checkedAt !== undefined && { checkedAt }),
  }));
}

interface FeedJson {
  readonly ecosystem: string;
  readonly covered: boolean;
  readonly checked_at?: string;
}
