import type { MatchKey } from "@plimsoll/core/match";
import { isStorable } from "../values/indexed-records.ts";
import { keyText } from "../values/key-text.ts";
import { pages } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/**
 * The transitive closure of keys: all keys of the records that are found under the given keys, then all keys of the records under
 * those, and so on. Every advisory that can affect a verdict on these records is under one of them. Keys that no image has are left
 * out.
 */
export async function findRelatedKeys(store: IndexerStore, keys: readonly MatchKey[]): Promise<readonly MatchKey[]> {
  const related = new Map<string, MatchKey>();
  const done = new Set<string>();
  for (let next = keys; next.length > 0; ) {
    for (const key of next) done.add(keyText(key));
    for (const key of await keysOfSameRecords(store, next)) related.set(keyText(key), key);
    next = [...related.values()].filter((key) => !done.has(keyText(key)));
  }
  return [...related.values()];
}

async function keysOfSameRecords({ db }: IndexerStore, keys: readonly MatchKey[]): Promise<readonly MatchKey[]> {
  const found: MatchKey[] = [];
  for (const [ecosystem, some] of Map.groupBy(keys.filter(isStorable), (key) => key.ecosystem)) {
    for (const page of pages(some.map(({ name }) => name))) {
      const rows = await db
        .selectFrom("indexer_record_key as asked")
        .innerJoin("indexer_record_key as beside", "beside.record_id", "asked.record_id")
        .select(["beside.ecosystem", "beside.package_name as name"])
        .distinct()
        .where("asked.ecosystem", "=", ecosystem)
        .where("asked.package_name", "in", page)
        .execute();
      found.push(...rows);
    }
  }
  return found;
}
