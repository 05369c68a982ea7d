/**
 * Scores of the Exploit Prediction Scoring System as a text of lines.
 *
 * ```
 * #model_version:v2023.03.01,score_date:2024-10-25T00:00:00+0000
 * cve,epss,percentile
 * CVE-1999-0005,0.91963,0.99030
 * ```
 * Documents older than the first versioned model have no line that begins with `#`.
 *
 * @see https://www.first.org/epss/data_stats
 */
import { ScanError } from "../../errors.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../../feeds/shared/feed-parts.ts";
import { failedItems, malformedFeed } from "../../feeds/shared/malformed-feed.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { textLines } from "../../feeds/shared/text-lines.ts";
import { isCve } from "../../match/vulnerability-names.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { epssType } from "../enrichment-types.ts";
import { type NewestFile, newestFile } from "../shared/catalog-updater.ts";
import { cveTags } from "../shared/cve-tags.ts";

/** The number of past days whose documents are tried if the location has none. Some days have no document. */
const daysBack = 7;

const dayMs = 86_400_000;

const epssUpdater = snapshotUpdater<EnrichmentRecord>({
  name: "epss",
  location: "https://epss.cyentia.com/epss_scores-current.csv.gz",
  scope: { partBytes: {}, sharedBytes: 2e6 },
  revision: 1,
  findParts: async (parts, { startedAt }) => [await findScores(parts, startedAt)],
  items: (parts) => itemsOf(newestFile(parts.flatMap(feedFiles), /\.csv$/)),
});

/** Adds the probability that a vulnerability is exploited within 30 days: the scores of EPSS. */
export const epssEnricher: Enricher = {
  name: "epss",
  type: epssType,
  updater: epssUpdater,
  tags: (advisory) => new Set(cveTags(advisory).map(blockOf)),
  enrich: (advisory, records) => {
    const byBlock = Map.groupBy(records, ({ tags: [block = ""] }) => block);
    const scores = cveTags(advisory).flatMap((cve) =>
      (byBlock.get(blockOf(cve)) ?? []).flatMap((record) => scoreIn(record, cve) ?? []),
    );
    return scores.length === 0 ? undefined : scores.map((score) => ({ ...score }));
  },
};

async function* itemsOf({ file, skipped }: NewestFile) {
  yield* skipped;
  const { location } = file;
  yield* groupIntoBlocks(readScores(textLines(file.stream(), location), location));
}

/** The document at the location; if it is missing, the newest document of a past day beside it. @throws ScanError `not_found` */
async function findScores(parts: FeedParts, startedAt: number | undefined): Promise<FeedPart> {
  const latest = await parts.find();
  if (latest !== undefined) return latest;
  for (let days = 1; startedAt !== undefined && days <= daysBack; days++) {
    const day = new Date(startedAt - days * dayMs).toISOString().slice(0, 10);
    const found = await parts.find(`epss_scores-${day}.csv.gz`);
    if (found !== undefined) return found;
  }
  throw new ScanError("not_found", `expected the latest scores of EPSS, or those of one of the last ${daysBack} days`);
}

/**
 * The tag of the block with a CVE id. A block has the scores of a hundred CVE ids. Nearly all scores change every day: with one row for each, the
 * database would grow by 120 MB a day, and an update would take minutes.
 */
function blockOf(cve: string): string {
  return `${cve.slice(0, -2)}xx`;
}

/**
 * The number of scores that are held in incomplete blocks. Real documents are ordered by number or by text, and need no more than a few
 * thousand.
 */
const maxOpen = 20_000;

/**
 * Groups scores into blocks. Memory is bounded for any order of the scores; if a document is not ordered, a block may become several records.
 */
async function* groupIntoBlocks(
  scores: AsyncIterable<FeedItem<EpssScore>>,
): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  const blocks = new Map<string, Block>();
  let [open, count] = [0, 0];
  for await (const each of scores) {
    if (each.kind !== "item") {
      yield each;
      continue;
    }
    addScore(blocks, each.item);
    count++;
    if (++open < maxOpen) continue;
    for (const [tag, block] of blocks) {
      if (open <= maxOpen / 2) break;
      yield recordOf(tag, block);
      blocks.delete(tag);
      open -= block.scores.size;
    }
  }
  for (const [tag, block] of blocks) yield recordOf(tag, block);
  yield { kind: "record", outcome: "read", count };
}

interface Block extends Pick<EpssScore, "date" | "modelVersion"> {
  /** Probability and percentile by CVE id. */
  readonly scores: Map<string, readonly [number, number]>;
}

function addScore(blocks: Map<string, Block>, { modelVersion, date, cve, epss, percentile }: EpssScore): void {
  const tag = blockOf(cve);
  const block = blocks.get(tag) ?? { modelVersion, date, scores: new Map() };
  blocks.set(tag, block);
  block.scores.set(cve, [epss, percentile]);
}

function recordOf(tag: string, { modelVersion, date, scores }: Block): FeedItem<EnrichmentRecord> {
  return { kind: "item", item: { tags: [tag], record: [modelVersion, date, Object.fromEntries(scores)] } };
}

/** The score of a CVE id in the record of its block. */
export function scoreIn({ record }: EnrichmentRecord, cve: string): EpssScore | undefined {
  const [modelVersion, date, scores] = record as [string, string, Readonly<Record<string, [number, number]>>];
  const found = Object.hasOwn(scores, cve) ? scores[cve] : undefined;
  return found && { modelVersion, date, cve, epss: found[0], percentile: found[1] };
}

/** One score, with its model and date. */
interface EpssScore {
  /** Empty if the document does not say. */
  readonly modelVersion: string;
  /** The date of the score, as the document writes it; empty if it does not say. */
  readonly date: string;
  readonly cve: string;
  /** The probability of an exploit within 30 days, from 0 to 1. */
  readonly epss: number;
  /** The fraction of all vulnerabilities that have this probability or less, from 0 to 1. */
  readonly percentile: number;
}

/** Reads the scores of a document, one by one. @throws ScanError `malformed_feed` for a document that does not begin as above */
async function* readScores(lines: AsyncIterable<string>, location: string): AsyncGenerator<FeedItem<EpssScore>> {
  let about: About = { modelVersion: "", date: "" };
  let hasHeader = false;
  for await (const line of lines) {
    if (hasHeader) yield* itemOf(line, about, location);
    else if (line.startsWith("#")) about = aboutOf(line);
    else if (line === "cve,epss,percentile") hasHeader = true;
    else throw malformedFeed(location, `expected the line "cve,epss,percentile", found ${shown(line)}`);
  }
  if (!hasHeader) throw malformedFeed(location, "expected scores, found the end of the document");
}

/** The model and the date of all scores of a document. */
type About = Pick<EpssScore, "date" | "modelVersion">;

function aboutOf(line: string): About {
  const words = new Map(line.slice(1).split(",").map(nameAndValue));
  return { modelVersion: words.get("model_version") ?? "", date: words.get("score_date") ?? "" };
}

function nameAndValue(word: string): readonly [name: string, value: string] {
  const colon = word.indexOf(":");
  return [word.slice(0, Math.max(0, colon)), word.slice(colon + 1)];
}

function itemOf(line: string, about: About, location: string): readonly FeedItem<EpssScore>[] {
  try {
    return [{ kind: "item", item: scoreOf(line, about) }];
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    return failedItems(location, error.message);
  }
}

function scoreOf(line: string, { modelVersion, date }: About): EpssScore {
  const [cve = "", score = "", rank = "", ...more] = line.split(",");
  const [epss, percentile] = [fractionOf(score), fractionOf(rank)];
  if (!isCve(cve) || cve.length > maxIdLength || epss === undefined || percentile === undefined || more.length > 0)
    throw new ScanError("malformed_feed", `expected a CVE id and two numbers from 0 to 1, found ${shown(line)}`);
  return { modelVersion, date, cve, epss, percentile };
}

/** The largest length of a CVE id; real ones have up to sixteen characters. */
const maxIdLength = 32;

function fractionOf(text: string): number | undefined {
  const number = /^\d[\d.e-]*$/.test(text) ? Number(text) : Number.NaN;
  return number >= 0 && number <= 1 ? number : undefined;
}

function shown(line: string): string {
  return JSON.stringify(line.slice(0, 100));
}
