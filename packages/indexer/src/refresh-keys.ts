import type { Engine, IndexReport } from "@plimsoll/core";
import { cooperativeYield, holdLock, oneAtATime, usualLeaseSeconds } from "@plimsoll/store";
import type { IndexServiceOptions } from "./index-service-options.ts";
import {
  announceKeysState,
  findNewestKeysState,
  findOutdatedManifests,
  findStoredReports,
  renumberLayers,
  renumberManifest,
  type StoredReport,
  setKeysState,
} from "./store/keys-state.ts";
import { addLeftovers, type Draft, deleteLeftovers, endDraft, keepDraft } from "./store/leftovers.ts";
import { findPieces } from "./store/long-text.ts";
import { withDraft } from "./store/put-finished.ts";
import { deleteRecords, manifestWrites, partsOfRecords, putRecords, type RecordWriter } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";
import { type IndexedRecords, linesOfRecords, recordsToIndex } from "./values/indexed-records.ts";
import { parseReport } from "./values/parse-report.ts";
import { toPieces } from "./values/text-pieces.ts";

/** Options of {@link StoredKeys}. */
export interface RefreshOptions extends Pick<IndexServiceOptions, "store" | "clock" | "sleep" | "leaseSeconds"> {
  readonly engine: Engine;
}

/** The name of the lock for rebuilding keys. */
const keysLock = "indexer.keys";

/** The images of one transaction, few enough that other writers do not wait long. */
const imagesAtOnce = 20;

/**
 * Rebuilds the stored keys of images that other matcher revisions made, from the images' reports. The work can be resumed: if a process
 * dies, the next call on any node does the rest. Only one node works at a time, and only a node with the engine that started last, so
 * that old and new nodes which run side by side do not undo each other's work.
 */
export class StoredKeys {
  readonly #options: RefreshOptions;
  readonly #stopping = new AbortController();
  readonly #refreshing = new Set<Promise<unknown>>();
  #announced: Promise<void> | undefined;

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** See `IndexService.refreshKeys`. */
  async refresh(signal: AbortSignal | undefined): Promise<number> {
    const stopping = this.#stopping.signal;
    const refreshing = this.#refresh(signal === undefined ? stopping : AbortSignal.any([signal, stopping]));
    this.#refreshing.add(refreshing);
    try {
      return await refreshing;
    } finally {
      this.#refreshing.delete(refreshing);
    }
  }

  async #refresh(signal: AbortSignal): Promise<number> {
    const { store, engine, clock, sleep, leaseSeconds = usualLeaseSeconds } = this.#options;
    await this.#announce();
    if ((await findNewestKeysState(store)) !== engine.keysState) return 0;
    if ((await findOutdatedManifests(store, engine.keysState, 1)).length === 0) return 0;
    const lock = await store.tryLock(keysLock, { clock, leaseSeconds });
    if (lock === undefined) return 0;
    return holdLock(lock, { leaseSeconds, sleep, signal }, (held) => refreshAll(this.#options, held));
  }

  /** Announces once that this node has started. */
  async #announce(): Promise<void> {
    const { store, engine, clock } = this.#options;
    this.#announced ??= announceKeysState(store, engine.keysState, clock.now());
    await this.#announced.catch((error: unknown) => {
      this.#announced = undefined;
      throw error;
    });
  }

  /** Stops and waits for the current work; other nodes do the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#refreshing);
  }
}

async function refreshAll(options: RefreshOptions, signal: AbortSignal): Promise<number> {
  const { store, engine } = options;
  for (let refreshed = 0; ; ) {
    const ids = signal.aborted ? [] : await findOutdatedManifests(store, engine.keysState, imagesAtOnce);
    if (ids.length === 0) return refreshed;
    await refreshManifests(options, ids, signal);
    refreshed += ids.length;
  }
}

async function refreshManifests(options: RefreshOptions, ids: readonly number[], signal: AbortSignal): Promise<void> {
  const { store } = options;
  const stored = await findStoredReports(store, ids);
  const [short, long] = [stored.filter(({ more }) => more === null), stored.filter(({ more }) => more !== null)];
  if (short.length > 0) await refreshShort(options, short);
  for (const report of long) {
    await refreshLong(options, report, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error; // if it was aborted, the next call does it
    });
  }
}

async function refreshShort({ store, engine }: RefreshOptions, stored: readonly StoredReport[]): Promise<void> {
  const renewed: { readonly id: number; readonly records: IndexedRecords }[] = [];
  for (const { id, text } of stored) renewed.push({ id, records: recordsToIndex(engine, await parseReport([text])) });
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    for (const { id, records } of renewed) await refreshRecords({ transaction, kind: store.kind }, id, records);
  });
}

/** Replaces the records of an image, unless it was deleted or replaced meanwhile. */
async function refreshRecords(writer: RecordWriter, id: number, records: IndexedRecords): Promise<void> {
  if (!(await setKeysState(writer.transaction, id, records.keysState))) return;
  await deleteRecords(writer.transaction, id);
  for (const some of partsOfRecords(records)) await putRecords(writer, id, some);
}

/** Writes the records of a long report under a new id, in short transactions. */
async function refreshLong(
  { store, engine }: RefreshOptions,
  { id, ...stored }: StoredReport,
  signal: AbortSignal,
): Promise<void> {
  const pieces = await findPieces(store.db, stored);
  if (pieces === undefined) return;
  const records = await recordsInSlices(engine, await parseReport(pieces));
  const content = { report: [], records, lock: keysLock, signal };
  const left = await withDraft(store, content, (draft) => renumber(store, { id, keysState: engine.keysState }, draft));
  if (left !== undefined) await deleteLeftovers(store, left);
}

/** The records of a long report. Other work of the thread runs in between. */
async function recordsInSlices(engine: Engine, report: IndexReport): Promise<IndexedRecords> {
  const yieldToOthers = cooperativeYield();
  const lines: string[] = [];
  for (const line of linesOfRecords(engine, report)) {
    lines.push(line);
    await yieldToOthers();
  }
  return { keysState: engine.keysState, records: toPieces(lines) };
}

async function renumber(store: IndexerStore, image: { readonly id: number; readonly keysState: string }, draft: Draft) {
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: manifestWrites, patient: true });
    if (!(await keepDraft(transaction, draft))) return undefined;
    const renewed = { id: draft.manifestId, keysState: image.keysState };
    if (!(await renumberManifest(transaction, image.id, renewed))) return undefined;
    await endDraft(transaction, draft);
    await renumberLayers(transaction, image.id, draft.manifestId);
    return addLeftovers(transaction, [{ id: image.id, more: null }]);
  });
}
