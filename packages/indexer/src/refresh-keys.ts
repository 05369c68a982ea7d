import type { Engine } from "@plimsoll/core";
import { holdLock, oneAtATime } from "@plimsoll/store";
import { recordsToIndex } from "./indexed-records.ts";
import { parseReport } from "./parse-report.ts";
import { announceKeysState, findNewestKeysState, findOutdatedManifests } from "./store/keys-state.ts";
import { findPieces } from "./store/long-text.ts";
import { manifestWrites } from "./store/manifests.ts";
import { deleteRecords, putRecords, type RecordWriter } from "./store/reverse-index.ts";
import { type TurnOptions, usualLeaseSeconds } from "./turns.ts";

/** What refreshing needs. */
export interface RefreshOptions extends Pick<TurnOptions, "store" | "clock" | "sleep" | "leaseSeconds"> {
  readonly engine: Engine;
}

/** Images of one transaction: few enough that nobody waits long. */
const imagesAtOnce = 20;

/**
 * The stored keys of images at one node: made anew from the images' reports where they come from other matchers than this
 * engine's. What is done stays done: who dies in the middle leaves the rest, and whoever comes next, at whatever node, goes
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
    const lock = await store.tryLock("indexer.keys", { clock, leaseSeconds });
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
    await refreshManifests(options, ids);
    refreshed += ids.length;
  }
}

async function refreshManifests({ store, engine }: RefreshOptions, ids: readonly number[]): Promise<void> {
  await store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, manifestWrites, { patient: true });
    for (const id of ids) await refreshManifest({ transaction, kind: store.kind }, engine, id);
  });
}

/** An image that was deleted meanwhile is passed over. */
async function refreshManifest(writer: RecordWriter, engine: Engine, id: number): Promise<void> {
  const { transaction } = writer;
  const row = await transaction
    .updateTable("indexer_manifest")
    .set({ keys_state: engine.keysState })
    .where("id", "=", id)
    .returning(["report as text", "more"])
    .executeTakeFirst();
  const pieces = row && (await findPieces(transaction, row));
  if (pieces === undefined) return;
  await deleteRecords(transaction, id);
  await putRecords(writer, id, recordsToIndex(engine, await parseReport(pieces)));
}
