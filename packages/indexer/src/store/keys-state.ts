import type { Kysely } from "kysely";
import type { LongText } from "./long-text.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** Says that a node with this state of keys has started. */
export async function announceKeysState({ db }: IndexerStore, keysState: string, at: number): Promise<void> {
  await db
    .insertInto("indexer_keys_state")
    .values({ keys_state: keysState, announced_at: at })
    .onConflict((conflict) => conflict.column("keys_state").doUpdateSet({ announced_at: at }))
    .execute();
}

/** The state of keys of the node that started last. */
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

/** Images whose keys are of another state, by their ids. Two ranges of an index: `<>` would read all images. */
export async function findOutdatedManifests(
  { db }: IndexerStore,
  keysState: string,
  limit: number,
): Promise<readonly number[]> {
  const outdated = db.selectFrom("indexer_manifest").select("id").limit(limit);
  const below = await outdated.where("keys_state", "<", keysState).execute();
  const rows = below.length > 0 ? below : await outdated.where("keys_state", ">", keysState).execute();
  return rows.map(({ id }) => id);
}

/** Of an image, from what its keys are rebuilt. A report that replaces another has a number of its own. */
export type StoredReport = LongText & { readonly id: number };

/** The reports of images. */
export async function findStoredReports(
  { db }: IndexerStore,
  ids: readonly number[],
): Promise<readonly StoredReport[]> {
  return db.selectFrom("indexer_manifest").select(["id", "report as text", "more"]).where("id", "in", ids).execute();
}

/** Says by which matchers the keys of an image were made. Returns false for an image that was deleted or replaced. */
export async function setKeysState(db: Kysely<IndexerTables>, id: number, keysState: string): Promise<boolean> {
  return changeManifest(db, id, { keys_state: keysState });
}

/** Gives an image another number, and with it the keys that are stored under that number. Returns false for an image that is gone. */
export async function renumberManifest(
  db: Kysely<IndexerTables>,
  id: number,
  renewed: { readonly id: number; readonly keysState: string },
): Promise<boolean> {
  return changeManifest(db, id, { id: renewed.id, keys_state: renewed.keysState });
}

/** Moves the layers of an image to its new number. */
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
