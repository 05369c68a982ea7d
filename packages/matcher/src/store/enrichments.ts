import type { EnrichmentRecord } from "@plimsoll/core/plugins";
import { sql } from "kysely";
import type { MatcherStore } from "./tables.ts";
import { holdsNow, visibleAt } from "./visible-at.ts";

/** The number of tags of one statement. */
const tagsPerQuery = 1_000;

/**
 * The records of an updater under any of the tags, each once, in a stable order.
 * @param asOf epoch milliseconds: the records of that time; absent: the current ones
 * @example
 * declare const store: MatcherStore;
 * const records = await findEnrichments(store, "epss", { tags: ["CVE-2024-3094"] });
 */
export async function findEnrichments(
  { db }: MatcherStore,
  updater: string,
  { tags, asOf }: { readonly tags: readonly string[]; readonly asOf?: number | undefined },
): Promise<readonly EnrichmentRecord[]> {
  const texts = new Map<string, string>();
  const distinct = [...new Set(tags)].filter((tag) => !tag.includes("\0")).sort(); // PostgreSQL's text has no NUL
  for (let at = 0; at < distinct.length; at += tagsPerQuery) {
    const rows = await db
      .selectFrom("enrichment")
      .innerJoin("updater as u", "u.name", "enrichment.updater")
      .innerJoin("shared_text", "shared_text.id", "enrichment.text_id")
      .select(["text_id", "text"])
      .where("enrichment.updater", "=", updater)
      .where("tag", "in", distinct.slice(at, at + tagsPerQuery))
      .where(asOf === undefined ? sql<boolean>`${sql.raw(holdsNow("enrichment"))}` : visibleAt("enrichment", asOf))
      .orderBy("tag")
      .orderBy("text_id")
      .execute();
    for (const { text_id, text } of rows) texts.set(text_id, text);
  }
  return [...texts.values()].map((text) => JSON.parse(text) as EnrichmentRecord);
}

/**
 * When updaters were last checked, in epoch milliseconds, by name. One that has never brought in anything is absent.
 * @example
 * declare const store: MatcherStore;
 * const isLoaded = (await findCheckedAt(store, ["kev"])).has("kev");
 */
export async function findCheckedAt(
  { db }: MatcherStore,
  updaters: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (updaters.length === 0) return new Map();
  const rows = await db.selectFrom("updater").select(["name", "checked_at"]).where("name", "in", updaters).execute();
  return new Map(rows.map(({ name, checked_at }) => [name, Number(checked_at)]));
}
