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
import { failedItems, malformedFeed } from "../../feeds/shared/malformed-feed.ts";
import { isCve } from "../../match/vulnerability-names.ts";
import type { FeedItem } from "../../plugins/updater.ts";

/** One score, with its model and date. */
export interface EpssScore {
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
export async function* readScores(lines: AsyncIterable<string>, location: string): AsyncGenerator<FeedItem<EpssScore>> {
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
