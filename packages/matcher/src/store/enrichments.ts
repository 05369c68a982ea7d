import type { EnrichmentRecord } from "@plimsoll/core";
import type { MatcherStore } from "./tables.ts";

/** How many tags one statement takes. */
const tagsPerQuery = 1_000;

/**
 * The records that an updater keeps under any of the tags: each once, in a stable order.
 * @example
 * declare const store: MatcherStore;
 * const records = await findEnrichments(store, "epss", ["CVE-2024-3094"]);
 */
export async function findEnrichments(
  { db }: MatcherStore,
  updater: string,
  tags: readonly string[],
): Promise<readonly EnrichmentRecord[]> {
  const texts = new Map<string, string>();
  const distinct = [...new Set(tags)].sort();
  for (let at = 0; at < distinct.length; at += tagsPerQuery) {
    const rows = await db
      .selectFrom("enrichment")
      .innerJoin("shared_text", "shared_text.id", "enrichment.text_id")
      .select(["text_id", "text"])
      .where("updater", "=", updater)
      .where("tag", "in", distinct.slice(at, at + tagsPerQuery))
      .where("valid_to", "is", null)
      .orderBy("tag")
      .orderBy("text_id")
      .execute();
    for (const { text_id, text } of rows) texts.set(text_id, text);
  }
  return [...texts.values()].map((text) => JSON.parse(text) as EnrichmentRecord);
}
