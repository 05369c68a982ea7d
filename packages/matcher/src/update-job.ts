import { every, followSchedules, hastenRecurrence, job, type RunnableJob, type Schedule } from "@plimsoll/store";
import { chooseFeeds, type FeedChoice, type FeedPlugins } from "./choose-feeds.ts";
import { collectGarbage, type GarbageResult } from "./store/collect-garbage.ts";
import type { MatcherStore } from "./store/tables.ts";
import { checkTimes } from "./store/update-operations.ts";
import {
  type FeedOwner,
  type OpenFeedReader,
  type UpdateFeedsOptions,
  type UpdateResult,
  updateFeeds,
} from "./update-feeds.ts";

/** Options of {@link updateRound}. */
export interface UpdateRoundOptions extends UpdateFeedsOptions {
  /** A feed that any node checked less than this time ago is left for the next round. */
  readonly periodSeconds: number;
  /** The number of operations of each updater to keep, at least 1. Default: all. */
  readonly keepOperations?: number;
}

/** The result of a round of updates. */
export interface RoundResult {
  readonly updates: readonly UpdateResult[];
  readonly garbage: GarbageResult;
}

/**
 * Updates the feeds that are due, and deletes old operations.
 * @throws ScanError `aborted`
 * @example
 * declare const store: MatcherStore;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const result = await updateRound(engine, {
 *   store,
 *   feeds: ({ location }) => createFeedReader({ location }),
 *   clock: { now: Date.now },
 *   periodSeconds: 6 * 3_600,
 *   keepOperations: 10,
 * });
 */
export async function updateRound(engine: FeedPlugins, options: UpdateRoundOptions): Promise<RoundResult> {
  const updates = await updateFeeds(await dueFeeds(engine, options), options);
  return { updates, garbage: await collectAllGarbage(options.store, options.keepOperations, options.signal) };
}

type DueOptions = FeedChoice & Pick<UpdateRoundOptions, "store" | "clock" | "periodSeconds">;

async function dueFeeds(engine: FeedPlugins, options: DueOptions): Promise<Required<FeedPlugins>> {
  const { store, clock, periodSeconds } = options;
  const checked = await checkTimes(store);
  const isDue = ({ name }: FeedOwner) =>
    clock.now() - (checked.get(name) ?? Number.NEGATIVE_INFINITY) >= periodSeconds * 1000;
  const { updaters, enrichers } = chooseFeeds(engine, options);
  return { updaters: updaters.filter(isDue), enrichers: enrichers.filter(({ updater }) => isDue(updater)) };
}

/**
 * The number of operations of a feed of facts to keep. Reports show only the latest facts; the operation before is kept for a rollback. More would
 * be large, because scores change daily for nearly every vulnerability.
 */
const keepFacts = 2;

/**
 * Deletes old operations until none are left to delete. Without `keep`, all operations of advisories stay.
 * It ends, because each pass deletes operations or is the last.
 * @example
 * declare const store: MatcherStore;
 * const { operations, rows } = await collectAllGarbage(store, 10, undefined);
 */
export async function collectAllGarbage(
  store: MatcherStore,
  keep: number | undefined,
  signal: AbortSignal | undefined,
): Promise<GarbageResult> {
  const total = { operations: 0, rows: 0, remaining: 0 };
  const options = { keepFacts, keep, signal };
  for (;;) {
    const { operations, rows, remaining } = await collectGarbage(store, options);
    total.operations += operations;
    total.rows += rows;
    total.remaining = remaining;
    if (remaining === 0 || operations === 0) return total;
  }
}

/** Options of {@link createFeedUpdates}. */
export interface FeedUpdatesOptions extends Omit<UpdateRoundOptions, "feeds" | "needed" | "signal"> {
  readonly engine: FeedPlugins;
  /** Finds the needed ecosystems before each round; see {@link FeedChoice}. Default: all. */
  readonly findNeeded?: () => Promise<ReadonlySet<string>>;
  /** Opens an updater's feed. The reader is disposed of when the updater is done. */
  feeds(updater: FeedOwner, signal: AbortSignal): OpenFeedReader;
  readonly onRound?: (result: RoundResult) => void;
}

/** The recurring updates of feeds, for a job worker. */
export interface FeedUpdates {
  readonly jobs: readonly RunnableJob[];
  readonly schedules: readonly Schedule<unknown>[];
  /** Schedules the updates, and starts one at once if feeds are due. Call it at every start of every node. */
  schedule(): Promise<void>;
}

/**
 * Creates the job that keeps the feeds of an engine up to date, on one node at a time.
 * @example
 * declare const options: FeedUpdatesOptions;
 * const updates = createFeedUpdates(options);
 * await updates.schedule();
 * const worker = startJobWorker({ store: options.store, ...updates, ...systemTime });
 */
export function createFeedUpdates(options: FeedUpdatesOptions): FeedUpdates {
  const { store, clock, engine, periodSeconds } = options;
  const round = { ...options, periodSeconds: periodSeconds * duePart };
  const schedules = [every(updateFeedsJob, periodSeconds * 1000)];
  return {
    jobs: [updateFeedsJob.withContext(round)],
    schedules,
    async schedule() {
      await followSchedules(store, schedules, clock);
      const { updaters, enrichers } = await dueFeeds(engine, { ...round, ...(await choiceOf(round)) });
      if (updaters.length + enrichers.length > 0) await hastenRecurrence({ db: store.db, clock }, updateFeedsJob, null);
    },
  };
}

/** The needed ecosystems, unless feeds were chosen by name. */
async function choiceOf({ only, findNeeded }: FeedUpdatesOptions): Promise<Pick<FeedChoice, "needed">> {
  return only === undefined && findNeeded !== undefined ? { needed: await findNeeded() } : {};
}

/** The part of the period after which a feed is due again, so that a round that begins slightly early updates it. */
const duePart = 0.9;

/** The pauses before a round is retried: together longer than the usual period. */
const retries = { backOff: { firstMs: 60_000, longestMs: 1_800_000 }, maxAttempts: 20 } as const;

/**
 * The recurring job that updates the feeds that are due. A failed feed waits for the next round. The job is retried sooner if another process
 * is updating a feed, or if a feed has never been read: without it, nothing is reported.
 */
const updateFeedsJob = job({
  kind: "matcher.update-feeds",
  key: () => "",
  priority: "bulk",
  ...retries,
  timeoutSeconds: 86_400,
  async handle({ signal }, { engine, ...options }: FeedUpdatesOptions) {
    const result = await updateRound(engine, {
      ...options,
      ...(await choiceOf({ engine, ...options })),
      feeds: (owner) => options.feeds(owner, signal),
      signal,
    });
    options.onRound?.(result);
    const busy = result.updates.filter(({ kind }) => kind === "busy").map(({ updater }) => updater);
    if (busy.length > 0) throw new Error(`another process updates ${busy.join(", ")}`);
    const missing = await neverRead(options.store, result.updates);
    if (missing.length > 0) throw new Error(`no update has succeeded yet: ${missing.join(", ")}`);
  },
});

/** The failed feeds without a successful update before. */
async function neverRead(store: MatcherStore, updates: readonly UpdateResult[]): Promise<readonly string[]> {
  const failed = updates.filter(({ kind }) => kind === "failed").map(({ updater }) => updater);
  if (failed.length === 0) return [];
  const checked = await checkTimes(store);
  return failed.filter((updater) => !checked.has(updater));
}
