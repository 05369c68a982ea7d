import type { EnrichmentRecord } from "@plimsoll/core";
import type { MatcherStore } from "./tables.ts";

/** How many tags one statement takes. */
const tagsPerQuery = 1_000;

/** The records that an updater keeps under any of the tags, each once, by tag in the order of `tags`. */
export async function findEnrichments(
  { db }: MatcherStore,
  updater: string,
  tags: readonly string[],
): Promise<ReadonlyMap<string, readonly EnrichmentRecord[]>> {
  const found = new Map<string, EnrichmentRecord[]>();
  const distinct = [...new Set(tags)];
  for (let at = 0; at < distinct.length; at += tagsPerQuery) {
    const rows = await db
      .selectFrom("enrichment")
      .innerJoin("shared_text", "shared_text.id", "enrichment.text_id")
      .select(["tag", "text"])
      .where("updater", "=", updater)
      .where("tag", "in", distinct.slice(at, at + tagsPerQuery))
      .where("valid_to", "is", null)
      .orderBy("tag")
      .orderBy("text_id")
      .execute();
    for (const { tag, text } of rows) {
      found.set(tag, [...(found.get(tag) ?? []), JSON.parse(text) as EnrichmentRecord]);
    }
  }
  return found;
}
