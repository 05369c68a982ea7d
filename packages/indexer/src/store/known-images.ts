import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { IndexerStore } from "./tables.ts";

/** The images with a report of the service or a failed run, in the order of their digests: at most `limit` of those after `after`. */
export async function listKnownImages({ db }: IndexerStore, after: string, limit: number): Promise<readonly Digest[]> {
  const page = (table: "indexer_manifest" | "indexer_run") =>
    db
      .selectFrom(table)
      .select("manifest_digest")
      .where("manifest_digest", ">", after)
      .orderBy("manifest_digest")
      .limit(limit);
  const finished = await page("indexer_manifest").where("scanned", "=", 0).execute();
  const failed = await page("indexer_run").where("manifest", "is", null).execute();
  const digests = new Set([...finished, ...failed].map(({ manifest_digest }) => manifest_digest));
  return [...digests].sort().slice(0, limit).map(parseDigest);
}
