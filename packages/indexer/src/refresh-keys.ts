import type { Engine, IndexReport } from "@plimsoll/core";
import { cooperativeYield, holdLock, oneAtATime } from "@plimsoll/store";
import { type IndexedRecords, linesOfRecords, recordsToIndex } from "./indexed-records.ts";
import { parseReport } from "./parse-report.ts";
import { type SingleFlightOptions, usualLeaseSeconds } from "./single-flight.ts";
import { announceKeysState, findNewestKeysState, findOutdatedManifests } from "./store/keys-state.ts";
import { type Draft, deleteLeftovers, endDraft, keepDraft, leaveBehind } from "./store/leftovers.ts";
import { findPieces, type LongText } from "./store/long-text.ts";
import { withDraft } from "./store/put-finished.ts";
import { deleteRecords, manifestWrites, partsOfRecords, putRecords, type RecordWriter } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";
import { toPieces } from "./text-pieces.ts";

/** What refreshing needs. */
export interface RefreshOptions extends Pick<SingleFlightOptions, "store" | "clock" | "sleep" | "leaseSeconds"> {
  readonly engine: Engine;
}

/** The lock of a rebuild of keys. */
const keysLock = "indexer.keys";

/** Images of one transaction: few enough that other writers do not wait long. */
const imagesAtOnce = 20;

/**
 * The stored keys of images at one node: rebuilt from the images' reports where they come from other matchers than this
 * engine's. What is done stays done: a process that dies in the middle leaves the rest, and the next call, on any node, goes
 * on with it. One node does it at a time, and only one whose engine started last: old and new nodes that run beside each
 * other do not undo each other's work.
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

  /** Once: that this node has started. */
  async #announce(): Promise<void> {
    const { store, engine, clock } = this.#options;
    this.#announced ??= announceKeysState(store, engine.keysState, clock.now());
    await this.#announced.catch((error: unknown) => {
      this.#announced = undefined;
      throw error;
    });
  }

  /** Leaves the rest to others and waits for what is under way. */
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

/** Of an image, from what its keys are rebuilt. A report that replaces another has a number of its own. */
type StoredReport = LongText & { readonly id: number };

async function refreshManifests(options: RefreshOptions, ids: readonly number[], signal: AbortSignal): Promise<void> {
  const { store } = options;
  const stored = await store.db
    .selectFrom("indexer_manifest")
    .select(["id", "report as text", "more"])
    .where("id", "in", ids)
    .execute();
  const [short, long] = [stored.filter(({ more }) => more === null), stored.filter(({ more }) => more !== null)];
  if (short.length > 0) await refreshShort(options, short);
  for (const report of long) {
    await refreshLong(options, report, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error; // the next call does it
    });
  }
}

async function refreshShort({ store, engine }: RefreshOptions, stored: readonly StoredReport[]): Promise<void> {
  const renewed: { readonly id: number; readonly records: IndexedRecords }[] = [];
  for (const { id, text } of stored) renewed.push({ id, records: recordsToIndex(engine, await parseReport([text])) });
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    for (const { id, records } of renewed) await refreshRecords({ transaction, kind: store.kind }, id, records);
  });
}

/** An image that was deleted or replaced meanwhile is passed over. */
async function refreshRecords(writer: RecordWriter, id: number, records: IndexedRecords): Promise<void> {
  const images = writer.transaction.updateTable("indexer_manifest").where("id", "=", id);
  const { numUpdatedRows } = await images.set({ keys_state: records.keysState }).executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await deleteRecords(writer.transaction, id);
  for (const some of partsOfRecords(records)) await putRecords(writer, id, some);
}

/** Under another number, in short transactions. */
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

/** The records of a report, which may be long: other work runs in between. */
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
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    if (!(await keepDraft(transaction, draft))) return undefined;
    const images = transaction.updateTable("indexer_manifest").where("id", "=", image.id);
    const shown = images.set({ id: draft.manifestId, keys_state: image.keysState });
    if ((await shown.executeTakeFirst()).numUpdatedRows === 0n) return undefined;
    await endDraft(transaction, draft);
    const layers = transaction.updateTable("indexer_manifest_layer").where("manifest_id", "=", image.id);
    await layers.set({ manifest_id: draft.manifestId }).execute();
    return leaveBehind(transaction, [{ id: image.id, more: null }]);
  });
}
