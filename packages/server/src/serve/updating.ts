import type { Engine } from "@plimsoll/core";
import { listEcosystems } from "@plimsoll/indexer";
import { createFeedReader, createFeedUpdates, feedNames, neededEcosystems } from "@plimsoll/matcher";
import { wrongValue } from "../config/wrong-value.ts";
import { logUpdates } from "./log-updates.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";

/** The parts of the feed updates of this process. */
export interface UpdatingOptions extends ServiceParts {
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
