import type { Engine, IndexReport, MatchKey } from "@plimsoll/core";
import { parseReport } from "../values/parse-report.ts";
import { findOutdatedManifests } from "./keys-state.ts";
import { findPieces, type LongText } from "./long-text.ts";
import { findRecords, pages } from "./reverse-index.ts";
import type { IndexerStore } from "./tables.ts";

/** An image as it was indexed last. */
export interface StoredImage {
  readonly report: IndexReport;
  /** By which it was scanned, the last one first; none where only the service has indexed it. */
  readonly names: readonly string[];
  /** Epoch milliseconds: when it was indexed, or scanned last. */
  readonly indexedAt: number;
  /** The state of the detectors that read it. */
  readonly engineState: string;
}

/** Selects images. */
export interface ImageQuestion {
  /** Of the advisories that may apply to them. */
  readonly keys: readonly MatchKey[];
  /** Of the engine: images whose records were put under keys of another state are given too. */
  readonly keysState: string;
}

/** Images of one read: a report is some hundred kilobytes. */
const imagesPerRead = 10;

/**
 * The images of a database that may have what some advisories speak of: each has a package that is looked up under one of the keys, or was indexed
 * by an engine with other keys. In the order of their digests.
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

/** An image that is deleted meanwhile is not given. */
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

/** How many images a database has. */
export interface ImageCounts {
  readonly indexedCount: number;
  /** Those that an engine with other detectors read. */
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
