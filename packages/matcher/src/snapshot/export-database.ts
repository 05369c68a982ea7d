import { createHash } from "node:crypto";
import { type Bytes, ScanError } from "@plimsoll/core";
import { decodeAdvisory } from "../store/advisory-row.ts";
import { countItems, listAdvisoryRows, listEnrichmentTexts } from "../store/exported-rows.ts";
import type { MatcherStore } from "../store/tables.ts";
import {
  checkTimes,
  findAccount,
  findDropped,
  findOperation,
  latestOperations,
  type OrderedOperation,
} from "../store/update-operations.ts";
import { throwIfAborted } from "../values/abort.ts";
import { formatAdvisory, formatEnd, formatHeader, type SnapshotUpdater } from "./format.ts";
import { compress, type SnapshotCompression } from "./lines.ts";

/** Options of {@link exportDatabase}. */
export interface ExportOptions {
  readonly compression?: SnapshotCompression;
  readonly signal?: AbortSignal;
}

/**
 * Writes the latest state of all updaters as a snapshot file. The same data give the same bytes. Updates may run at the same time.
 * @throws ScanError `aborted` if an operation was deleted while it was read
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

const chunkLength = 64 * 1024;

/** Joins lines to larger chunks, which compress faster. */
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
  const hashed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  const states = await listStates(store);
  yield hashed(formatHeader(states.map(({ listed }) => listed)));
  let items = 0;
  for (const { listed, operation } of states) {
    const rows =
      listed.kind === "vulnerability" ? advisoryLines(store, operation) : listEnrichmentTexts(store, operation);
    for await (const line of rows) {
      throwIfAborted(signal, "the export");
      items++;
      yield hashed(line);
    }
    await checkExists(store, operation);
  }
  yield `${formatEnd({ items, digest: `sha256:${hash.digest("hex")}` })}\n`;
}

interface State {
  readonly listed: SnapshotUpdater;
  readonly operation: OrderedOperation;
}

async function listStates(store: MatcherStore): Promise<readonly State[]> {
  const states: State[] = [];
  const checked = await checkTimes(store);
  for (const { ref, updater } of await latestOperations(store)) {
    const operation = await findOperation(store.db, ref);
    const checkedAt = checked.get(updater);
    const dropped = await findDropped(store.db, ref);
    if (operation === undefined || checkedAt === undefined || dropped === undefined) throw deletedMeanwhile(updater);
    const items = await countItems(store, operation);
    const account = await findAccount(store.db, ref);
    const known = { dropped: dropped.count > 0 ? dropped : undefined, account };
    const listed = { ...operation, checkedAt, items, ...known };
    states.push({ operation, listed });
  }
  return states;
}

async function* advisoryLines(store: MatcherStore, operation: OrderedOperation): AsyncGenerator<string> {
  for await (const row of listAdvisoryRows(store, operation))
    yield formatAdvisory(decodeAdvisory(row, row.updater, row.text));
}

/** Checks that an operation still exists: if it was deleted, some of its rows may have been missed. */
async function checkExists({ db }: MatcherStore, { ref, updater }: OrderedOperation): Promise<void> {
  if ((await findOperation(db, ref)) === undefined) throw deletedMeanwhile(updater);
}

function deletedMeanwhile(updater: string): ScanError {
  return new ScanError("aborted", `the state of ${updater} was deleted during the export: export again`);
}
