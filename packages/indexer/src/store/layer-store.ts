import type { Store } from "@plimsoll/store";
import type { Kysely } from "kysely";
import type { LayerCache } from "../layer-cache.ts";
import { type LayerRecord, layerRecordOf } from "../layer-record.ts";
import { deletePieces, findPieces, putPieces } from "./long-text.ts";
import type { IndexerTables, LayerTable } from "./tables.ts";

/** Layers that a database remembers; beyond, those stored longest ago are forgotten. */
const layersKept = 10_000;

/** How many layers are stored between two looks at how many there are. */
const putsBetweenLooks = 100;

/** Keeps the findings of layers in a database, so that they outlast the process. */
export function storedLayers(store: Store<IndexerTables>, now: () => number): LayerCache {
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
      if (record.pieces.length === 1) await putLayer(store.db, key, record, now());
      else await store.transaction((transaction) => putLayer(transaction, key, record, now()));
      if (puts++ % putsBetweenLooks === 0) await forgetOldLayers(store, layersKept);
    },
  };
}

/** Of the same layer and state the findings are the same: what is replaced has the same number of pieces. */
async function putLayer(
  db: Kysely<IndexerTables>,
  key: Pick<LayerTable, "layer_digest" | "engine_state">,
  { pieces }: LayerRecord,
  storedAt: number,
): Promise<void> {
  if (pieces.length > 1) {
    const replaced = db.selectFrom("indexer_layer").select("more");
    const { layer_digest, engine_state } = key;
    await deletePieces(
      db,
      await replaced.where("layer_digest", "=", layer_digest).where("engine_state", "=", engine_state).execute(),
    );
  }
  const { text, more } = await putPieces(db, pieces);
  const values = { findings: text, more, stored_at: storedAt };
  await db
    .insertInto("indexer_layer")
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(["layer_digest", "engine_state"]).doUpdateSet(values))
    .execute();
}

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
  const forgotten = await store.db
    .deleteFrom("indexer_layer")
    .where("stored_at", "<=", newestForgotten.stored_at)
    .returning("more")
    .execute();
  await deletePieces(store.db, forgotten);
  return forgotten.length;
}
