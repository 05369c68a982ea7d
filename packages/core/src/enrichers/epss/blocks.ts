import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { EpssScore } from "./scores.ts";

/**
 * Scores are kept a hundred CVE ids at a time: nearly all of them change every day, and a row for each would make the database grow by
 * 120 MB a day, and an update take minutes.
 */
export function blockOf(cve: string): string {
  return `${cve.slice(0, -2)}xx`;
}

/** Scores of blocks that are not complete yet. A document is ordered, by number or by text: more than a few thousand are never needed. */
const maxOpen = 20_000;

/**
 * Gathers scores into blocks. Memory is bounded whatever the order of the scores: of a document without any, a block is kept in several
 * records.
 */
export async function* inBlocks(
  scores: AsyncIterable<FeedItem<EpssScore>>,
): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  const blocks = new Map<string, Block>();
  let open = 0;
  for await (const each of scores) {
    if (each.kind === "problem") {
      yield each;
      continue;
    }
    addScore(blocks, each.item);
    if (++open < maxOpen) continue;
    for (const [tag, block] of blocks) {
      if (open <= maxOpen / 2) break;
      yield recordOf(tag, block);
      blocks.delete(tag);
      open -= block.scores.size;
    }
  }
  for (const [tag, block] of blocks) yield recordOf(tag, block);
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
