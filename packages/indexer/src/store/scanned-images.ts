import type { Digest } from "@plimsoll/core";
import { oneAtATime } from "@plimsoll/store";
import { deleteLeftovers, leaveBehind } from "./leftovers.ts";
import { deleteLayers } from "./manifests.ts";
import { manifestWrites } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/** What a name stood for when it was scanned. */
export interface ScannedName {
  readonly name: string;
  /** `linux/amd64`; empty where the image names none. */
  readonly platform: string;
  readonly digest: Digest;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Names that are remembered: those that were scanned longest ago are forgotten. */
const mostNames = 1_000;

/** PostgreSQL's text has no NUL, and its index rows end at 2,700 bytes. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").slice(0, 600);
}

/**
 * Remembers what a name stands for now. An image that only scans have stored is forgotten with its last name: when the name stands for
 * another image, or is one of those that were scanned longest ago.
 */
export async function putScannedName(store: IndexerStore, scanned: ScannedName): Promise<void> {
  const key = { name: storable(scanned.name), platform: storable(scanned.platform) };
  const before = await store.db
    .selectFrom("indexer_scanned")
    .select("manifest_digest")
    .where("name", "=", key.name)
    .where("platform", "=", key.platform)
    .executeTakeFirst();
  const values = { manifest_digest: scanned.digest, scanned_at: scanned.at };
  await store.relaxed
    .insertInto("indexer_scanned")
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(["name", "platform"]).doUpdateSet(values))
    .execute();
  const replaced = before === undefined || before.manifest_digest === scanned.digest ? [] : [before.manifest_digest];
  const nameless = before === undefined ? await forgetOldest(store) : replaced;
  for (const digest of new Set(nameless)) await forgetNameless(store, digest);
}

/** By which engine and which matchers an image was stored, and whether only scans stored it. */
export function findStates({ db }: IndexerStore, manifestDigest: Digest) {
  return db
    .selectFrom("indexer_manifest")
    .select(["engine_state", "keys_state", "scanned"])
    .where("manifest_digest", "=", manifestDigest)
    .executeTakeFirst();
}

/** Returns the images that had the names. */
async function forgetOldest(store: IndexerStore): Promise<readonly string[]> {
  const oldest = await store.db
    .selectFrom("indexer_scanned")
    .select(["name", "platform", "manifest_digest"])
    .orderBy("scanned_at", "desc")
    .orderBy("name")
    .orderBy("platform")
    .limit(mostNames)
    .offset(mostNames)
    .execute();
  for (const { name, platform } of oldest) {
    const row = store.relaxed.deleteFrom("indexer_scanned").where("name", "=", name);
    await row.where("platform", "=", platform).execute();
  }
  return oldest.map(({ manifest_digest }) => manifest_digest);
}

/** Images of the service, and those that another name stands for, stay. */
async function forgetNameless(store: IndexerStore, digest: string): Promise<void> {
  const left = await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    const image = await transaction
      .deleteFrom("indexer_manifest")
      .where("manifest_digest", "=", digest)
      .where("scanned", "=", 1)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("indexer_scanned").select("name").where("manifest_digest", "=", digest))),
      )
      .returning(["id", "more"])
      .executeTakeFirst();
    if (image === undefined) return [];
    return leaveBehind(transaction, [image, ...(await deleteLayers(transaction, image.id))]);
  });
  await deleteLeftovers(store, left);
}
