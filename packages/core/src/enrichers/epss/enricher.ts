import { ScanError } from "../../errors.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../../feeds/shared/feed-parts.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { textLines } from "../../feeds/shared/text-lines.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import { epssType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { type NewestFile, newestFile } from "../shared/newest-file.ts";
import { blockOf, groupIntoBlocks, scoreIn } from "./blocks.ts";
import { readScores } from "./scores.ts";

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
