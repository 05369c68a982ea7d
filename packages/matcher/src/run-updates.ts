import { holdLock } from "@plimsoll/store";
import { chooseFeeds, type FeedPlugins, feedNames } from "./choose-feeds.ts";
import { collectGarbage, type GarbageResult } from "./store/forget-operations.ts";
import type { MatcherStore } from "./store/tables.ts";
import { type UpdateFeedsOptions, type UpdateResult, updateFeeds } from "./update-feeds.ts";

/** One round of updates. */
export interface UpdateRoundOptions extends UpdateFeedsOptions {
  /** A feed that was checked, by any node, less than this before is left for the next round. */
  readonly periodSeconds: number;
  /** Operations of each updater that stay, from 1 on; absent: all. */
  readonly keepOperations?: number;
  /** Ends early, resolving or rejecting, when the signal is aborted. */
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
}

/** What became of a round. */
export type RoundResult =
  | { readonly kind: "done"; readonly updates: readonly UpdateResult[]; readonly garbage: GarbageResult }
  /** Another node was at it. */
  | { readonly kind: "busy" };

/** How long the round of a process that does nothing any more keeps others from the next one on SQLite. */
const leaseSeconds = 300;

/**
 * Updates the feeds that are due, and forgets operations beyond those that are kept. One node at a time.
 * @throws ScanError `aborted`
 */
export async function updateRound(engine: FeedPlugins, options: UpdateRoundOptions): Promise<RoundResult> {
  const { store, clock, sleep, signal } = options;
  const lock = await store.tryLock("matcher.updates", { clock, leaseSeconds });
  if (lock === undefined) return { kind: "busy" };
  return holdLock(lock, { leaseSeconds, sleep, ...(signal !== undefined && { signal }) }, async (held) => {
    const updates = await updateFeeds(engine, { ...options, only: await dueFeeds(engine, options), signal: held });
    const garbage = await collectAll(store, options.keepOperations, held);
    return { kind: "done", updates, garbage };
  });
}

async function dueFeeds(engine: FeedPlugins, options: UpdateRoundOptions): Promise<readonly string[]> {
  const { store, clock, periodSeconds, only } = options;
  const rows = await store.db.selectFrom("updater").select(["name", "checked_at"]).execute();
  const checked = new Map(rows.map(({ name, checked_at }) => [name, checked_at]));
  return feedNames(chooseFeeds(engine, only)).filter(
    (name) => clock.now() - (checked.get(name) ?? Number.NEGATIVE_INFINITY) >= periodSeconds * 1000,
  );
}

/** Ends: each pass forgets operations, of which there are only so many, or is the last. */
async function collectAll(store: MatcherStore, keep: number | undefined, signal: AbortSignal): Promise<GarbageResult> {
  const total = { operations: 0, rows: 0, remaining: 0 };
  if (keep === undefined) return total;
  for (;;) {
    const { operations, rows, remaining } = await collectGarbage(store, { keep, signal });
    total.operations += operations;
    total.rows += rows;
    total.remaining = remaining;
    if (remaining === 0 || operations === 0) return total;
  }
}

/** Updates on a schedule. */
export interface RunUpdatesOptions extends UpdateRoundOptions {
  /** From 0 to below 1: spreads the rounds of nodes that started together. */
  readonly random: () => number;
  readonly onRound?: (result: RoundResult) => void;
  /** A round that failed as a whole; the next one comes all the same. */
  readonly onTrouble?: (error: unknown) => void;
  /** Ends the schedule. */
  readonly signal: AbortSignal;
}

/** A round begins at the earliest so long after the last one, as a part of the period, and at the latest after it. */
const earliest = 0.9;

/** Runs a round at once, and then one after each period, until the signal is aborted. */
export async function runUpdates(engine: FeedPlugins, options: RunUpdatesOptions): Promise<void> {
  const { periodSeconds, random, sleep, signal, onRound, onTrouble } = options;
  while (!signal.aborted) {
    try {
      const result = await updateRound(engine, { ...options, periodSeconds: periodSeconds * earliest });
      onRound?.(result);
    } catch (error) {
      if (!signal.aborted) onTrouble?.(error);
    }
    if (signal.aborted) return;
    await sleep(periodSeconds * 1000 * (earliest + (1 - earliest) * random()), signal).catch(() => {});
  }
}
