import type { Digest } from "@plimsoll/core/digest";
import { oneAtATime } from "@plimsoll/store";
import { addLeftovers, deleteLeftovers } from "./leftovers.ts";
import { deleteLayers } from "./manifests.ts";
import { manifestWrites } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/** A name and the image that was scanned under it. */
export interface ScannedName {
  readonly name: string;
  /** Such as `linux/amd64`; empty if the image names none. */
  readonly platform: string;
  readonly digest: Digest;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The number of names that are kept. Beyond it, those scanned longest ago are deleted. */
const maxNames = 1_000;

/** Makes a text storable: PostgreSQL's text has no NUL, and its index rows have at most 2,700 bytes. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").slice(0, 600);
}

/**
 * Stores the image of a name. An image that only scans have stored is deleted with its last name: when the name gets another image, or is
 * one of those scanned longest ago.
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
  const nameless = before === undefined ? await deleteOldestNames(store) : replaced;
  for (const digest of new Set(nameless)) await deleteUnnamedImage(store, digest);
}

/** The engine state and keys state of a stored image, and whether only scans have stored it. */
export function findStates({ db }: IndexerStore, manifestDigest: Digest) {
  return db
    .selectFrom("indexer_manifest")
    .select(["engine_state", "keys_state", "scanned"])
    .where("manifest_digest", "=", manifestDigest)
    .executeTakeFirst();
}

/** Deletes the names beyond the maximum. Returns their images. */
async function deleteOldestNames(store: IndexerStore): Promise<readonly string[]> {
  const oldest = await store.db
    .selectFrom("indexer_scanned")
    .select(["name", "platform", "manifest_digest"])
    .orderBy("scanned_at", "desc")
    .orderBy("name")
    .orderBy("platform")
    .limit(maxNames)
    .offset(maxNames)
    .execute();
  for (const { name, platform } of oldest) {
    const row = store.relaxed.deleteFrom("indexer_scanned").where("name", "=", name);
    await row.where("platform", "=", platform).execute();
  }
  return oldest.map(({ manifest_digest }) => manifest_digest);
}

/** Deletes an image without names, unless it is an image of the service. */
async function deleteUnnamedImage(store: IndexerStore, digest: string): Promise<void> {
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
    return addLeftovers(transaction, [image, ...(await deleteLayers(transaction, image.id))]);
  });
  await deleteLeftovers(store, left);
}
