import { createHash } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import { sql } from "kysely";
import { throwIfAborted } from "../abort.ts";
import { detailQuery } from "../store/advisories.ts";
import { decodeAdvisory } from "../store/advisory-row.ts";
import type { MatcherStore } from "../store/tables.ts";
import { findDropped, findOperation, latestOperations, type OrderedOperation } from "../store/update-operations.ts";
import { compress, type SnapshotCompression } from "./compression.ts";
import { formatAdvisory, formatEnd, formatHeader, type SnapshotUpdater } from "./format.ts";

/** How a snapshot is written. */
export interface ExportOptions {
  readonly compression?: SnapshotCompression;
  readonly signal?: AbortSignal;
}

/**
 * The latest state of all updaters as a snapshot file. The same data give the same bytes; updates may go on meanwhile.
 * @throws ScanError `aborted` when an operation was forgotten while it was read
 * @example
 * import { createWriteStream } from "node:fs";
 * import { pipeline } from "node:stream/promises";
 *
 * declare const store: MatcherStore;
 * await pipeline(exportDatabase(store, { compression: "zstd" }), createWriteStream("advisories.zst"));
 */
export function exportDatabase(store: MatcherStore, options: ExportOptions = {}): Bytes {
  return compress(chunksOf(linesOf(store, options.signal)), options.compression ?? "gzip");
}

const rowsPerPage = 1_000;
const chunkLength = 64 * 1024;

/** Joins lines to larger pieces, which compress faster. */
async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = "";
  for await (const line of lines) {
    text += line;
    if (text.length < chunkLength) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

async function* linesOf(store: MatcherStore, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const passed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  const states = await listStates(store);
  yield passed(formatHeader(states.map(({ listed }) => listed)));
  let items = 0;
  for (const { listed, operation } of states) {
    const rows = listed.kind === "vulnerability" ? advisoryLines(store, operation) : enrichmentLines(store, operation);
    for await (const line of rows) {
      throwIfAborted(signal, "the export");
      items++;
      yield passed(line);
    }
    await makeSureOf(store, operation);
  }
  yield `${formatEnd({ items, digest: `sha256:${hash.digest("hex")}` })}\n`;
}

interface State {
  readonly listed: SnapshotUpdater;
  readonly operation: OrderedOperation;
}

async function listStates(store: MatcherStore): Promise<readonly State[]> {
  const states: State[] = [];
  for (const { ref, updater } of await latestOperations(store)) {
    const operation = await findOperation(store.db, ref);
    const checked = await store.db.selectFrom("updater").selectAll().where("name", "=", updater).executeTakeFirst();
    const dropped = await findDropped(store.db, ref);
    if (operation === undefined || checked === undefined || dropped === undefined) throw forgotten(updater);
    const items = await countItems(store, operation);
    const listed = { ...operation, checkedAt: checked.checked_at, items, ...(dropped.count > 0 && { dropped }) };
    states.push({ operation, listed });
  }
  return states;
}

async function countItems({ db }: MatcherStore, operation: OrderedOperation): Promise<number> {
  const query =
    operation.kind === "vulnerability"
      ? sql<{ items: number }>`select count(*) as items from advisory where ${visibleAt(operation)}`
      : sql<{ items: number }>`select count(distinct text_id) as items from enrichment where ${visibleAt(operation)}`;
  const { rows } = await query.execute(db);
  return Number(rows[0]?.items ?? 0);
}

function visibleAt({ updater, seq }: OrderedOperation) {
  return sql<boolean>`(updater = ${updater} and valid_from <= ${seq} and (valid_to is null or valid_to > ${seq}))`;
}

async function* advisoryLines(store: MatcherStore, operation: OrderedOperation): AsyncGenerator<string> {
  for (let last = "", more = true; more; ) {
    const query = detailQuery(store).where(visibleAt(operation)).where("advisory_id", ">", last);
    const rows = await query.orderBy("advisory_id").limit(rowsPerPage).execute();
    for (const row of rows) yield formatAdvisory(decodeAdvisory(row, row.updater, row.text));
    last = rows.at(-1)?.advisory_id ?? "";
    more = rows.length === rowsPerPage;
  }
}

/** The text of an enrichment is its line. */
async function* enrichmentLines({ db }: MatcherStore, operation: OrderedOperation): AsyncGenerator<string> {
  const named = db.selectFrom("enrichment").select("text_id").where(visibleAt(operation));
  for (let last = "", more = true; more; ) {
    const query = db.selectFrom("shared_text").selectAll().where("id", "in", named).where("id", ">", last);
    const rows = await query.orderBy("id").limit(rowsPerPage).execute();
    for (const { text } of rows) yield text;
    last = rows.at(-1)?.id ?? "";
    more = rows.length === rowsPerPage;
  }
}

/** Rows of an operation stay as long as it does; if it is gone, some may have been missed. */
async function makeSureOf({ db }: MatcherStore, { ref, updater }: OrderedOperation): Promise<void> {
  if ((await findOperation(db, ref)) === undefined) throw forgotten(updater);
}

function forgotten(updater: string): ScanError {
  return new ScanError("aborted", `the state of ${updater} was forgotten while it was exported: export again`);
}
