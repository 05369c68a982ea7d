import type { LayerCache } from "@plimsoll/core/image";
import { oneAtATime, type Store } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import { type LayerRecord, layerRecordOf } from "../values/layer-record.ts";
import { addLeftovers, deleteLeftovers } from "./leftovers.ts";
import { findPieces, type Holder, longTextOf, putPieces } from "./long-text.ts";
import { manifestWrites } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables, LayerTable } from "./tables.ts";

/** The number of layers that a database keeps. Beyond it, those stored longest ago are deleted. */
const layersKept = 10_000;

/** How many layers are stored between two deletions of old ones. */
const putsBetweenDeletions = 100;

/**
 * A cache of layer records in a database.
 * @example
 * const store = await openStore<IndexerTables>("index.db", { migrations: [indexerMigrations] });
 * const cache = storedLayers(store, Date.now);
 */
export function storedLayers(store: Store<IndexerTables>, now: () => number): LayerCache<LayerRecord> {
  let puts = 0;
  return {
    async find(digest, engineState) {
      const row = await store.db
        .selectFrom("indexer_layer")
        .select(["findings as text", "more"])
        .where("layer_digest", "=", digest)
        .where("engine_state", "=", engineState)
        .executeTakeFirst();
      const pieces = row && (await findPieces(store.db, row));
      const record = pieces && layerRecordOf(pieces);
      return record && { ...record, digest };
    },
    async put(record, engineState) {
      const key = { layer_digest: record.digest, engine_state: engineState };
      if (record.pieces.length > 1) await putLong(store, key, { record, storedAt: now() });
      else await putRow(store.relaxed, { ...key, findings: record.pieces[0] ?? "", more: null, stored_at: now() });
      if (puts++ % putsBetweenDeletions === 0) await deleteOldLayers(store, layersKept);
    },
  };
}

/** Writes a row. The same layer and state have the same findings, so that a replaced text has the same number of pieces. */
async function putRow(db: Kysely<IndexerTables>, row: LayerTable): Promise<void> {
  const { layer_digest: _, engine_state: __, ...values } = row;
  await db
    .insertInto("indexer_layer")
    .values(row)
    .onConflict((conflict) => conflict.columns(["layer_digest", "engine_state"]).doUpdateSet(values))
    .execute();
}

/**
 * Writes the row first, then its pieces: until the last piece is stored, the layer is not found. If another process stores the same layer
 * at the same time, it takes the row over, and the first process stops.
 */
async function putLong(
  store: IndexerStore,
  key: Pick<LayerTable, "layer_digest" | "engine_state">,
  { record: { pieces }, storedAt }: { readonly record: LayerRecord; readonly storedAt: number },
): Promise<void> {
  const { layer_digest, engine_state } = key;
  const { text, more } = longTextOf(pieces);
  const replaced = await store.relaxed.transaction().execute(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    const same = transaction.selectFrom("indexer_layer").where("layer_digest", "=", layer_digest);
    const left = await same.where("engine_state", "=", engine_state).select("more").execute();
    await putRow(transaction, { ...key, findings: text, more, stored_at: storedAt });
    return addLeftovers(transaction, left);
  });
  const holder: Holder = sql`indexer_layer
    where layer_digest = ${layer_digest} and engine_state = ${engine_state} and more = ${more}`;
  await putPieces(store, { pieces, more, holder });
  await deleteLeftovers(store, replaced);
}

/** The number of layers that one transaction deletes. */
const deletedAtOnce = 50;

/** Deletes all layers but the `keep` that were stored last. Returns the number of deleted layers. */
export async function deleteOldLayers(store: Store<IndexerTables>, keep: number): Promise<number> {
  const newestToDelete = await store.db
    .selectFrom("indexer_layer")
    .select("stored_at")
    .orderBy("stored_at", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (newestToDelete === undefined) return 0;
  for (let deleted = 0; ; ) {
    const { count, left } = await deleteSome(store, newestToDelete.stored_at);
    await deleteLeftovers(store, left);
    if (count === 0) return deleted;
    deleted += count;
  }
}

async function deleteSome(store: IndexerStore, storedAt: number) {
  return store.relaxed.transaction().execute(async (transaction) => {
    const old = transaction.selectFrom("indexer_layer").where("stored_at", "<=", storedAt);
    const deleted = await transaction
      .deleteFrom("indexer_layer")
      .where("stored_at", "<=", storedAt)
      .where("layer_digest", "in", old.select("layer_digest").orderBy("stored_at").limit(deletedAtOnce))
      .returning("more")
      .execute();
    return { count: deleted.length, left: await addLeftovers(transaction, deleted) };
  });
}
