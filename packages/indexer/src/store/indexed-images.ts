import type { Engine, IndexReport } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { MatchKey } from "@plimsoll/core/internal";
import { oneAtATime } from "@plimsoll/store";
import { parseReport } from "../values/parse-report.ts";
import { findOutdatedManifests } from "./keys-state.ts";
import { addLeftovers, deleteLeftovers } from "./leftovers.ts";
import { findPieces, type LongText } from "./long-text.ts";
import { deleteLayers } from "./manifests.ts";
import { findRecords, manifestWrites, pages } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/** A stored image. */
export interface StoredImage {
  readonly report: IndexReport;
  /** The names under which it was scanned, the latest first; empty if only the service has indexed it. */
  readonly names: readonly string[];
  /** The time of its last scan or index, in epoch milliseconds. */
  readonly indexedAt: number;
  /** The state of the engine that read it. */
  readonly engineState: string;
}

/** Selects images. */
export interface ImageQuestion {
  /** The keys of the advisories. */
  readonly keys: readonly MatchKey[];
  /** The state of the engine's keys. Images whose keys have another state are selected too. */
  readonly keysState: string;
}

/** The number of images of one read; a report has some hundred kilobytes. */
const imagesPerRead = 10;

/**
 * The images that some advisories may apply to, in the order of their digests: each has a package that is found under one of the keys, or was
 * indexed by an engine with other keys.
 * @example
 * declare const store: IndexerStore;
 * const { keysState } = createEngine({ ecosystems: allEcosystems });
 * const keys = [{ ecosystem: "npm", name: "lodash" }];
 * for await (const { names } of findIndexedImages(store, { keys, keysState })) console.log(names[0]);
 */
export async function* findIndexedImages(
  store: IndexerStore,
  { keys, keysState }: ImageQuestion,
): AsyncGenerator<StoredImage> {
  const ids = new Set<number>(await findOutdatedManifests(store, keysState, Number.MAX_SAFE_INTEGER));
  for await (const records of findRecords(store, keys)) {
    for (const page of pages(records)) for (const id of await imagesWith(store, page)) ids.add(id);
  }
  const digests = await digestsOf(store, [...ids]);
  for (const page of pages(digests, imagesPerRead)) yield* await readImages(store, page);
}

async function imagesWith({ db }: IndexerStore, records: readonly { readonly id: number }[]): Promise<number[]> {
  if (records.length === 0) return [];
  const rows = await db
    .selectFrom("indexer_manifest_record")
    .select("manifest_id")
    .distinct()
    .where(
      "record_id",
      "in",
      records.map(({ id }) => id),
    )
    .execute();
  return rows.map(({ manifest_id }) => Number(manifest_id));
}

async function digestsOf({ db }: IndexerStore, ids: readonly number[]): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const page of pages(ids)) {
    const rows = await db.selectFrom("indexer_manifest").select("manifest_digest").where("id", "in", page).execute();
    for (const { manifest_digest } of rows) digests.push(manifest_digest);
  }
  return digests.sort();
}

/** Reads images. Those that are deleted meanwhile are left out. */
async function readImages(store: IndexerStore, digests: readonly string[]): Promise<readonly StoredImage[]> {
  const { db } = store;
  const rows = await db
    .selectFrom("indexer_manifest")
    .select(["manifest_digest", "engine_state", "report as text", "more", "indexed_at"])
    .where("manifest_digest", "in", digests)
    .orderBy("manifest_digest")
    .execute();
  const scanned = await db
    .selectFrom("indexer_scanned")
    .select(["name", "platform", "manifest_digest", "scanned_at"])
    .where("manifest_digest", "in", digests)
    .orderBy("scanned_at", "desc")
    .orderBy("name")
    .execute();
  const names = Map.groupBy(scanned, ({ manifest_digest }) => manifest_digest);
  const images: StoredImage[] = [];
  for (const row of rows) {
    const report = await readReport(store, row);
    if (report === undefined) continue;
    const named = names.get(row.manifest_digest) ?? [];
    images.push({
      report,
      names: named.map(({ name, platform }) => (platform === "" ? name : `${name} (${platform})`)),
      indexedAt: Number(named[0]?.scanned_at ?? row.indexed_at),
      engineState: row.engine_state,
    });
  }
  return images;
}

async function readReport({ db }: IndexerStore, text: LongText): Promise<IndexReport | undefined> {
  const pieces = await findPieces(db, text);
  return pieces && parseReport(pieces);
}

/** The numbers of images of a database. */
export interface ImageCounts {
  readonly indexedCount: number;
  /** The images that an engine with other detectors has read. */
  readonly outdatedCount: number;
}

/**
 * Counts the images of a database, those of scans and those of the service.
 * @example
 * declare const store: IndexerStore;
 * const { indexedCount } = await countIndexedImages(store, createEngine({ ecosystems: allEcosystems }));
 */
export async function countIndexedImages({ db }: IndexerStore, engine: Pick<Engine, "state">): Promise<ImageCounts> {
  const rows = await db
    .selectFrom("indexer_manifest")
    .select(({ fn }) => ["engine_state", fn.countAll().as("count")])
    .groupBy("engine_state")
    .execute();
  const sum = (some: typeof rows) => some.reduce((total, { count }) => total + Number(count), 0);
  const outdated = rows.filter(({ engine_state }) => engine_state !== engine.state);
  return { indexedCount: sum(rows), outdatedCount: sum(outdated) };
}

/** The images with a report of the service or a failed run, in the order of their digests: at most `limit` of those after `after`. */
export async function listKnownImages({ db }: IndexerStore, after: string, limit: number): Promise<readonly Digest[]> {
  const page = (table: "indexer_manifest" | "indexer_run") =>
    db
      .selectFrom(table)
      .select("manifest_digest")
      .where("manifest_digest", ">", after)
      .orderBy("manifest_digest")
      .limit(limit);
  const finished = await page("indexer_manifest").where("scanned", "=", 0).execute();
  const failed = await page("indexer_run").where("manifest", "is", null).execute();
  const digests = new Set([...finished, ...failed].map(({ manifest_digest }) => manifest_digest));
  return [...digests].sort().slice(0, limit).map(parseDigest);
}

/** A name and the image that was scanned under it. */
interface ScannedName {
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
