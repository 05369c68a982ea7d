import type { MatchKey } from "@plimsoll/core/internal";
import type { IndexRecord } from "@plimsoll/core/match";
import { type SqlRow, type StoreKind, together } from "@plimsoll/store";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { decodeRecord } from "../values/index-record.ts";
import { type IndexedRecord, type IndexedRecords, isStorable } from "../values/indexed-records.ts";
import { parsePieces } from "../values/text-pieces.ts";
import type { IndexerStore, IndexerTables } from "./tables.ts";

/** The name of the lock for transactions that write images and the reverse index. */
export const manifestWrites = "indexer.manifests";

/** The number of rows or values of one statement. */
const pageSize = 1_000;

/** Splits a list into slices for one statement each. */
export function* pages<Item>(items: readonly Item[], size = pageSize): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** A transaction that writes records. */
export interface RecordWriter {
  readonly transaction: Transaction<IndexerTables>;
  readonly kind: StoreKind;
}

/** Records with one keys state, few enough to be written in some milliseconds. */
export interface SomeRecords {
  readonly keysState: string;
  readonly records: readonly IndexedRecord[];
}

/** The number of records of one transaction. */
const recordsAtOnce = 250;

/** Splits records into parts for one transaction each. */
export function* partsOfRecords({ keysState, records }: IndexedRecords): Generator<SomeRecords> {
  for (const piece of records) {
    const some = [...parsePieces([piece])].flat() as readonly IndexedRecord[];
    for (const page of pages(some, recordsAtOnce)) yield { keysState, records: page };
  }
}

/** Stores records of an image. Keys of another state are replaced. Returns the records' ids. */
export async function putRecords(
  writer: RecordWriter,
  manifestId: number,
  { keysState, records }: SomeRecords,
): Promise<readonly number[]> {
  const known = await findKnown(writer, records);
  const missing = records.filter(({ contentId }) => !known.has(contentId));
  const outdated = records.filter(({ contentId }) => (known.get(contentId)?.keysState ?? keysState) !== keysState);
  const added = await insertRecords(writer, keysState, missing);
  const ids = new Map([...added, ...[...known].map(([contentId, { id }]) => [contentId, id] as const)]);
  await renewRecords(writer.transaction, keysState, idsOf(ids, outdated));
  const rows = rowsOf(
    writer,
    Array.from(ids.values(), (id) => [id]),
  );
  await together(writer.transaction, {
    keys: newKeys(writer, ids, [...missing, ...outdated]),
    facts: newFacts(writer, ids, records),
    links: sql`
      insert into indexer_manifest_record (record_id, manifest_id)
      select cast(t.value ->> 0 as bigint), cast(${manifestId} as bigint) from ${rows} where true
      on conflict do nothing`,
  });
  return [...ids.values()];
}

/** Rows as one JSON parameter, read in SQL as `t.value ->> 0` and so on: a statement with many parameters takes long to compile. */
function rowsOf({ kind }: RecordWriter, rows: readonly (readonly (string | number)[])[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return kind === "sqlite" ? sql`json_each(${json}) as t` : sql`json_array_elements(${json}::json) as t(value)`;
}

interface KnownRecord {
  readonly id: number;
  readonly keysState: string;
}

async function findKnown(
  writer: RecordWriter,
  records: readonly IndexedRecord[],
): Promise<ReadonlyMap<string, KnownRecord>> {
  const rows = rowsOf(
    writer,
    records.map(({ contentId }) => [contentId]),
  );
  const known = await writer.transaction
    .selectFrom("indexer_record")
    .select(["id", "content_id", "keys_state"])
    .where("content_id", "in", sql<string>`(select t.value ->> 0 from ${rows})`)
    .execute();
  return new Map(known.map(({ id, content_id, keys_state }) => [content_id, { id, keysState: keys_state }]));
}

async function insertRecords(
  writer: RecordWriter,
  keysState: string,
  records: readonly IndexedRecord[],
): Promise<ReadonlyMap<string, number>> {
  if (records.length === 0) return new Map();
  const rows = rowsOf(
    writer,
    records.map(({ contentId, text }) => [contentId, text]),
  );
  const { rows: added } = await sql<{ readonly id: number; readonly content_id: string }>`
    insert into indexer_record (content_id, record, keys_state)
    select t.value ->> 0, t.value ->> 1, ${keysState} from ${rows} returning id, content_id`.execute(
    writer.transaction,
  );
  return new Map(added.map(({ id, content_id }) => [content_id, id]));
}

/** Deletes the keys of records and sets their keys state. */
async function renewRecords(transaction: Transaction<IndexerTables>, keysState: string, ids: readonly number[]) {
  for (const page of pages(ids)) {
    await transaction.deleteFrom("indexer_record_key").where("record_id", "in", page).execute();
    await transaction.updateTable("indexer_record").set({ keys_state: keysState }).where("id", "in", page).execute();
  }
}

function newKeys(
  writer: RecordWriter,
  ids: ReadonlyMap<string, number>,
  records: readonly IndexedRecord[],
): RawBuilder<never> | undefined {
  const keys = records.flatMap(({ contentId, keys }) => {
    const [id] = idsOf(ids, [{ contentId }]);
    return id === undefined ? [] : keys.map(({ ecosystem, name }) => [ecosystem, name, id] as const);
  });
  if (keys.length === 0) return undefined;
  return sql`
    insert into indexer_record_key (ecosystem, package_name, record_id)
    select t.value ->> 0, t.value ->> 1, cast(t.value ->> 2 as bigint) from ${rowsOf(writer, keys)} where true
    on conflict do nothing`;
}

/** Of all records: another image may have said less about the same package, in files of its other layers. */
function newFacts(
  writer: RecordWriter,
  ids: ReadonlyMap<string, number>,
  records: readonly IndexedRecord[],
): RawBuilder<never> | undefined {
  const rows = records.flatMap(({ contentId, facts }) => {
    const [id] = idsOf(ids, [{ contentId }]);
    return id === undefined ? [] : facts.map(([kind, value]) => [kind, value, id] as const);
  });
  if (rows.length === 0) return undefined;
  return sql`
    insert into indexer_record_fact (kind, value, record_id)
    select t.value ->> 0, t.value ->> 1, cast(t.value ->> 2 as bigint) from ${rowsOf(writer, rows)} where true
    on conflict do nothing`;
}

function idsOf(ids: ReadonlyMap<string, number>, records: readonly Pick<IndexedRecord, "contentId">[]) {
  return records.flatMap(({ contentId }) => ids.get(contentId) ?? []);
}

/** Deletes the record list of an image with few records, and the records that no other image has. */
export async function deleteRecords(transaction: Transaction<IndexerTables>, manifestId: number): Promise<void> {
  const rows = await transaction
    .deleteFrom("indexer_manifest_record")
    .where("manifest_id", "=", manifestId)
    .returning("record_id")
    .execute();
  await deleteUnused(transaction, rows);
}

/** Deletes the given records that no image has. */
export async function deleteUnused(
  transaction: Transaction<IndexerTables>,
  rows: readonly { readonly record_id: number }[],
): Promise<void> {
  for (const page of pages(rows.map(({ record_id }) => record_id))) {
    const gone = await transaction
      .deleteFrom("indexer_record")
      .where("id", "in", page)
      .where(({ not, exists, selectFrom, ref }) =>
        not(
          exists(
            selectFrom("indexer_manifest_record")
              .select("manifest_id")
              .where("record_id", "=", ref("indexer_record.id")),
          ),
        ),
      )
      .returning("id")
      .execute();
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) continue;
    await transaction.deleteFrom("indexer_record_key").where("record_id", "in", ids).execute();
    await transaction.deleteFrom("indexer_record_fact").where("record_id", "in", ids).execute();
  }
}

/** A stored record. */
export interface StoredRecord {
  readonly id: number;
  readonly record: IndexRecord;
}

/** The number of keys of one read; a key may have the records of hundreds of versions. */
const keysPerRead = 200;

/** The records under any of the keys, each once, in pages. */
export async function* findRecords(
  { db }: IndexerStore,
  keys: readonly MatchKey[],
): AsyncGenerator<readonly StoredRecord[]> {
  const seen = new Set<number>();
  for (const [ecosystem, found] of Map.groupBy(keys.filter(isStorable), (key) => key.ecosystem)) {
    const names = [...new Set(found.map(({ name }) => name))].sort();
    for (const page of pages(names, keysPerRead)) {
      const rows = await db
        .selectFrom("indexer_record_key as k")
        .innerJoin("indexer_record as r", "r.id", "k.record_id")
        .select(["r.id", "r.record"])
        .where("k.ecosystem", "=", ecosystem)
        .where("k.package_name", "in", page)
        .execute();
      const fresh = rows.filter(({ id }) => seen.size < seen.add(id).size);
      yield fresh.map(({ id, record }) => ({ id, record: decodeRecord(record) }));
    }
  }
}

/** Some images that have a record. */
export interface RecordManifests {
  readonly recordId: number;
  readonly manifests: readonly string[];
}

/** The images of the service that have each record, in pages of limited size, because every image may have a record. */
export async function* findManifests(
  store: IndexerStore,
  recordIds: readonly number[],
): AsyncGenerator<RecordManifests> {
  const { recordsPerRead, manifestsPerRead, read } = manifestReader(store);
  for (const page of pages(recordIds, recordsPerRead)) {
    const unfinished: (readonly [recordId: number, after: number])[] = [];
    for (const found of grouped(await read(page, 0))) {
      yield found;
      if (found.manifests.length === manifestsPerRead) unfinished.push([found.recordId, found.last]);
    }
    for (const [recordId, first] of unfinished) {
      for (let after: number | undefined = first; after !== undefined; ) {
        const [found] = grouped(await read([recordId], after));
        if (found !== undefined) yield found;
        after = found?.manifests.length === manifestsPerRead ? found.last : undefined;
      }
    }
  }
}

interface ManifestReader {
  /** The number of records of one read. */
  readonly recordsPerRead: number;
  /** The largest number of images of each record in one read. */
  readonly manifestsPerRead: number;
  /** Rows of record id, manifest id and digest: the images whose ids are above `after`, in their order. */
  read(recordIds: readonly number[], after: number): Promise<readonly SqlRow[]>;
}

/** Written without the query builder, because there may be millions of pairs. */
function manifestReader(store: IndexerStore): ManifestReader {
  const perRead = store.kind === "sqlite" ? ([1, 5_000] as const) : ([50, 500] as const);
  const [recordsPerRead, manifestsPerRead] = perRead;
  if (store.kind === "sqlite") {
    const read = store.prepareRead(manifestsOf("?", "?", manifestsPerRead));
    return { recordsPerRead, manifestsPerRead, read: ([id = 0], after) => read(id, after) };
  }
  const lateral = manifestsOf("r.id::bigint", "$2::bigint", manifestsPerRead);
  const read = store.prepareRead(`select m.* from unnest($1::text[]) r(id) cross join lateral (${lateral}) m`);
  return { recordsPerRead, manifestsPerRead, read: (ids, after) => read(ids.map(String), after) };
}

const manifestsOf = (id: string, after: string, limit: number) => `
  select mr.record_id, mr.manifest_id, m.manifest_digest from indexer_manifest_record mr
  join indexer_manifest m on m.id = mr.manifest_id and m.scanned = 0
  where mr.record_id = ${id} and mr.manifest_id > ${after} order by mr.manifest_id limit ${limit}`;

/** Groups rows by record; `last` is the greatest id of an image. */
function grouped(rows: readonly SqlRow[]): readonly (RecordManifests & { readonly last: number })[] {
  return [...Map.groupBy(rows, ([recordId]) => recordId)].map(([recordId, found]) => ({
    recordId: Number(recordId),
    manifests: found.map(([, , digest]) => String(digest)),
    last: Number(found.at(-1)?.[1]),
  }));
}
