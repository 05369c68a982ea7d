import type { MatchKey } from "@plimsoll/core/internal";
import type { Kysely } from "kysely";
import { keyText } from "../values/index-record.ts";
import { isStorable } from "../values/indexed-records.ts";
import type { LongText } from "./long-text.ts";
import { pages } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** Stores that a node with this keys state has started. */
export async function announceKeysState({ db }: IndexerStore, keysState: string, at: number): Promise<void> {
  await db
    .insertInto("indexer_keys_state")
    .values({ keys_state: keysState, announced_at: at })
    .onConflict((conflict) => conflict.column("keys_state").doUpdateSet({ announced_at: at }))
    .execute();
}

/** The keys state of the node that started last. */
export async function findNewestKeysState({ db }: IndexerStore): Promise<string | undefined> {
  const row = await db
    .selectFrom("indexer_keys_state")
    .select("keys_state")
    .orderBy("announced_at", "desc")
    .orderBy("keys_state")
    .limit(1)
    .executeTakeFirst();
  return row?.keys_state;
}

/** The ids of at most `limit` images whose keys have another state. Two ranges of an index: `<>` would read all images. */
export async function findOutdatedManifests(
  { db }: IndexerStore,
  keysState: string,
  limit: number,
): Promise<readonly number[]> {
  const images = db.selectFrom("indexer_manifest").select("id");
  const below = await images.where("keys_state", "<", keysState).limit(limit).execute();
  const left = limit - below.length;
  const above = left === 0 ? [] : await images.where("keys_state", ">", keysState).limit(left).execute();
  return [...below, ...above].map(({ id }) => id);
}

/** The report of an image, from which its keys are rebuilt. A report that replaces another has another id. */
export type StoredReport = LongText & { readonly id: number };

/** The reports of images. */
export async function findStoredReports(
  { db }: IndexerStore,
  ids: readonly number[],
): Promise<readonly StoredReport[]> {
  return db.selectFrom("indexer_manifest").select(["id", "report as text", "more"]).where("id", "in", ids).execute();
}

/** Sets the keys state of an image. Returns false if it was deleted or replaced. */
export async function setKeysState(db: Kysely<IndexerTables>, id: number, keysState: string): Promise<boolean> {
  return changeManifest(db, id, { keys_state: keysState });
}

/** Gives an image a new id, and thereby the records that are stored under that id. Returns false if it was deleted or replaced. */
export async function renumberManifest(
  db: Kysely<IndexerTables>,
  id: number,
  renewed: { readonly id: number; readonly keysState: string },
): Promise<boolean> {
  return changeManifest(db, id, { id: renewed.id, keys_state: renewed.keysState });
}

/** Moves the layers of an image to its new id. */
export async function renumberLayers(db: Kysely<IndexerTables>, id: number, renewed: number): Promise<void> {
  const layers = db.updateTable("indexer_manifest_layer").where("manifest_id", "=", id);
  await layers.set({ manifest_id: renewed }).execute();
}

async function changeManifest(
  db: Kysely<IndexerTables>,
  id: number,
  changes: { readonly id?: number; readonly keys_state: string },
): Promise<boolean> {
  const images = db.updateTable("indexer_manifest").where("id", "=", id);
  const { numUpdatedRows } = await images.set(changes).executeTakeFirst();
  return numUpdatedRows > 0n;
}

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
