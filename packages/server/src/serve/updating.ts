import { type Engine, ScanError } from "@plimsoll/core";
import { listEcosystems } from "@plimsoll/indexer";
import {
  chooseFeeds,
  createFeedReader,
  createFeedUpdates,
  type FeedPlugins,
  feedNames,
  type MatcherStore,
  neededEcosystems,
  type RoundResult,
} from "@plimsoll/matcher";
import { StoreError } from "@plimsoll/store";
import type { Logger } from "pino";
import { wrongValue } from "../config/wrong-value.ts";
import { reasonOf } from "./outages.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";

/** The parts of the feed updates of this process. */
interface UpdatingOptions extends ServiceParts {
  readonly engine: Engine;
  readonly periodSeconds: number;
}

/** The longest time between two rounds, as a factor of the period: a schedule varies it by up to 10%. */
const latest = 1.1;

/** Updates the feeds regularly until `resources` is disposed. @throws UsageError for an unknown updater */
export async function openUpdating(options: UpdatingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { engine, store, clock, settings, logger, tracer, periodSeconds } = options;
  const { updaters, feeds, proxy, updateRetention } = settings;
  checkNames(engine, updaters);
  const updates = createFeedUpdates({
    engine,
    store,
    clock,
    only: updaters,
    findNeeded: async () => neededEcosystems(store, await listEcosystems(store)),
    feeds: ({ name, location }, signal) =>
      createFeedReader({
        location: feeds[name] ?? location,
        startedAt: clock.now(),
        proxy,
        signal,
      }),
    periodSeconds,
    keepOperations: updateRetention,
    onRound: logUpdates(logger, Math.round(periodSeconds * latest)),
  });
  const stop = { graceMs: 0 }; // an interrupted update continues from what it has stored
  await startJobs({ ...updates, store, settings, logger, tracer, stop }, resources);
}

/** @throws UsageError for an unknown feed */
function checkNames(engine: Engine, names: readonly string[] | undefined): void {
  const known = feedNames(engine);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw wrongValue({ place: "updaters", expected: `some of ${[...known].sort().join(", ")}`, found: unknown });
}

/**
 * Logs the result of each feed's update. A failed update is one line with the reason and the time of the next try, because a machine
 * without a network has many of them. The stack is logged at level `debug`; for an unexpected error, at once.
 */
export function logUpdates(
  logger: Pick<Logger, "info" | "warn" | "debug">,
  periodSeconds: number,
): (round: RoundResult) => void {
  return ({ updates }) => {
    for (const update of updates) {
      const { updater, kind: result } = update;
      if (update.kind !== "failed") {
        logger.info({ updater, result }, "updated");
        continue;
      }
      const { error: err } = update;
      const isForeseen = err instanceof ScanError || err instanceof StoreError;
      const line = { updater, result, reason: reasonOf(err), nextTryWithinSeconds: periodSeconds };
      logger.warn({ ...line, err: !isForeseen ? err : undefined }, "updated");
      if (isForeseen) logger.debug({ updater, err }, "update_failed");
    }
  };
}

/**
 * The names of the feeds that the images of an installation need; it updates these unless its settings name others.
 * @param indexed the ecosystems of the packages in indexed images
 */
export async function neededFeeds(
  engine: FeedPlugins,
  store: MatcherStore,
  indexed: readonly string[],
): Promise<readonly string[]> {
  return feedNames(chooseFeeds(engine, { needed: await neededEcosystems(store, indexed) }));
}
