import { every, followSchedules, hastenRecurrence, job, type RunnableJob, type Schedule } from "@plimsoll/store";
import { chooseFeeds, type FeedChoice, type FeedPlugins } from "./choose-feeds.ts";
import { collectGarbage, type GarbageResult } from "./store/forget-operations.ts";
import type { MatcherStore } from "./store/tables.ts";
import { checkTimes } from "./store/update-operations.ts";
import {
  type FeedOwner,
  type OpenFeedReader,
  type UpdateFeedsOptions,
  type UpdateResult,
  updateFeeds,
} from "./update-feeds.ts";

/** One round of updates. */
export interface UpdateRoundOptions extends UpdateFeedsOptions {
  /** A feed that was checked, by any node, less than this before is left for the next round. */
  readonly periodSeconds: number;
  /** Operations of each updater that stay, from 1 on; absent: all. */
  readonly keepOperations?: number;
}

/** The result of a round of updates. */
export interface RoundResult {
  readonly updates: readonly UpdateResult[];
  readonly garbage: GarbageResult;
}

/**
 * Updates the feeds that are due, and forgets operations beyond those that are kept.
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

async function dueFeeds(engine: FeedPlugins, options: DueOptions): Promise<FeedPlugins> {
  const { store, clock, periodSeconds } = options;
  const checked = await checkTimes(store);
  const isDue = ({ name }: FeedOwner) =>
    clock.now() - (checked.get(name) ?? Number.NEGATIVE_INFINITY) >= periodSeconds * 1000;
  const { updaters, enrichers } = chooseFeeds(engine, options);
  return { updaters: updaters.filter(isDue), enrichers: enrichers.filter(({ updater }) => isDue(updater)) };
}

/**
 * Operations of a feed of facts that stay: reports show only the latest facts, the one before is there to go back to. Scores change every
 * day for nearly every vulnerability there is.
 */
const keepFacts = 2;

/**
 * Forgets operations beyond those that are kept: of advisories all stay where `keep` is absent.
 * Ends: each pass forgets operations, of which there are only so many, or is the last.
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
  const options = { keepFacts, ...(keep !== undefined && { keep }), ...(signal !== undefined && { signal }) };
  for (;;) {
    const { operations, rows, remaining } = await collectGarbage(store, options);
    total.operations += operations;
    total.rows += rows;
    total.remaining = remaining;
    if (remaining === 0 || operations === 0) return total;
  }
}

/** What the recurring updates of an engine's feeds need. */
export interface FeedUpdatesOptions extends Omit<UpdateRoundOptions, "feeds" | "needed" | "signal"> {
  readonly engine: FeedPlugins;
  /** Looks for the ecosystems that are needed, before each round; see {@link FeedChoice}. Absent: all. */
  readonly findNeeded?: () => Promise<ReadonlySet<string>>;
  /** Opens an updater's feed, until the signal is aborted; it is disposed of when the updater is done. */
  feeds(updater: FeedOwner, signal: AbortSignal): OpenFeedReader;
  readonly onRound?: (result: RoundResult) => void;
}

/** The updates of feeds: what a job worker runs, and what puts it in the queue. */
export interface FeedUpdates {
  readonly jobs: readonly RunnableJob[];
  readonly schedules: readonly Schedule<unknown>[];
  /** Makes sure that updates recur, and that feeds that are due now do not wait. Harmless on every start, on every node. */
  schedule(): Promise<void>;
}

/**
 * The job that keeps the feeds of an engine up to date, on one node at a time.
 * @example
 * declare const options: FeedUpdatesOptions;
 * const updates = createFeedUpdates(options);
 * await updates.schedule();
 * const worker = startJobWorker({ store: options.store, ...updates, ...systemTime });
 */
export function createFeedUpdates(options: FeedUpdatesOptions): FeedUpdates {
  const { store, clock, engine, periodSeconds } = options;
  const round = { ...options, periodSeconds: periodSeconds * earliest };
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

/** What is needed now, unless feeds were named. */
async function choiceOf({ only, findNeeded }: FeedUpdatesOptions): Promise<Pick<FeedChoice, "needed">> {
  return only === undefined && findNeeded !== undefined ? { needed: await findNeeded() } : {};
}

/** A round begins at the earliest so long after the last one, as a part of the period. */
const earliest = 0.9;

/** Updates the feeds that are due. Recurs. A feed that fails waits for the next round; one that another process updates, less long. */
const updateFeedsJob = job({
  kind: "matcher.update-feeds",
  key: () => "",
  priority: "bulk",
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
  },
});
