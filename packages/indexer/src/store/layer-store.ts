import type { LayerCache } from "@plimsoll/core";
import type { Store } from "@plimsoll/store";
import { oneAtATime } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import { type LayerRecord, layerRecordOf } from "../values/layer-record.ts";
import { deleteLeftovers, leaveBehind } from "./leftovers.ts";
import { findPieces, type Holder, longTextOf, putPieces } from "./long-text.ts";
import { manifestWrites } from "./reverse-index.ts";
import type { IndexerStore, IndexerTables, LayerTable } from "./tables.ts";

/** Layers that a database remembers; beyond, those stored longest ago are forgotten. */
const layersKept = 10_000;

/** How many layers are stored between two looks at how many there are. */
const putsBetweenLooks = 100;

/**
 * Keeps the findings of layers in a database, so that they outlast the process.
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
      if (puts++ % putsBetweenLooks === 0) await forgetOldLayers(store, layersKept);
    },
  };
}

/** Of the same layer and state the findings are the same: what is replaced has the same number of pieces. */
async function putRow(db: Kysely<IndexerTables>, row: LayerTable): Promise<void> {
  const { layer_digest: _, engine_state: __, ...values } = row;
  await db
    .insertInto("indexer_layer")
    .values(row)
    .onConflict((conflict) => conflict.columns(["layer_digest", "engine_state"]).doUpdateSet(values))
    .execute();
}

/**
 * The row first, then its pieces: until the last one is there the layer is unknown. A process that puts the same layer at the
 * same time takes the row over, and who was first leaves it at that.
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
    return leaveBehind(transaction, left);
  });
  const holder: Holder = sql`indexer_layer
    where layer_digest = ${layer_digest} and engine_state = ${engine_state} and more = ${more}`;
  await putPieces(store, { pieces, more, holder });
  await deleteLeftovers(store, replaced);
}

/** Layers that one transaction forgets. */
const forgottenAtOnce = 50;

/** Forgets all but the `keep` layers stored last. Returns how many were forgotten. */
export async function forgetOldLayers(store: Store<IndexerTables>, keep: number): Promise<number> {
  const newestForgotten = await store.db
    .selectFrom("indexer_layer")
    .select("stored_at")
    .orderBy("stored_at", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (newestForgotten === undefined) return 0;
  for (let forgotten = 0; ; ) {
    const { count, left } = await forgetSome(store, newestForgotten.stored_at);
    await deleteLeftovers(store, left);
    if (count === 0) return forgotten;
    forgotten += count;
  }
}

async function forgetSome(store: IndexerStore, storedAt: number) {
  return store.relaxed.transaction().execute(async (transaction) => {
    const old = transaction.selectFrom("indexer_layer").where("stored_at", "<=", storedAt);
    const forgotten = await transaction
      .deleteFrom("indexer_layer")
      .where("stored_at", "<=", storedAt)
      .where("layer_digest", "in", old.select("layer_digest").orderBy("stored_at").limit(forgottenAtOnce))
      .returning("more")
      .execute();
    return { count: forgotten.length, left: await leaveBehind(transaction, forgotten) };
  });
}
