import type { IndexerStore } from "./tables.ts";

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
