import type { Store } from "@plimsoll/store";
import type { LayerCache } from "../layer-cache.ts";
import { formatLayerRecord, parseLayerRecord } from "./layer-record.ts";
import type { IndexerTables } from "./tables.ts";

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
        .select("findings")
        .where("layer_digest", "=", digest)
        .where("engine_state", "=", engineState)
        .executeTakeFirst();
      return row === undefined ? undefined : parseLayerRecord(row.findings);
    },
    async put(findings, engineState) {
      const values = { findings: formatLayerRecord(findings), stored_at: now() };
      await store.db
        .insertInto("indexer_layer")
        .values({ layer_digest: findings.digest, engine_state: engineState, ...values })
        .onConflict((conflict) => conflict.columns(["layer_digest", "engine_state"]).doUpdateSet(values))
        .execute();
      if (puts++ % putsBetweenLooks === 0) await forgetOldLayers(store, layersKept);
    },
  };
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
  const { numDeletedRows } = await store.db
    .deleteFrom("indexer_layer")
    .where("stored_at", "<=", newestForgotten.stored_at)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
