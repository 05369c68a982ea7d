import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { EpssScore } from "./scores.ts";

/**
 * The tag of the block with a CVE id. A block has the scores of a hundred CVE ids. Nearly all scores change every day: with one row for each, the
 * database would grow by 120 MB a day, and an update would take minutes.
 */
export function blockOf(cve: string): string {
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
export async function* groupIntoBlocks(
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
