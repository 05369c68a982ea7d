import type { Engine } from "@plimsoll/core";
import { listEcosystems } from "@plimsoll/indexer";
import { createFeedReader, createFeedUpdates, feedNames, neededEcosystems } from "@plimsoll/matcher";
import { UsageError } from "../cli/exit-code.ts";
import { logUpdates } from "./log-updates.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";

/** What updating needs. */
export interface UpdatingOptions extends ServiceParts {
  readonly engine: Engine;
  readonly periodSeconds: number;
}

/** What recurs comes at the latest so long after the last time, as a part of the period. */
const latest = 1.1;

/** Keeps the feeds up to date until `resources` is disposed of. @throws UsageError for the name of no updater */
export async function openUpdating(options: UpdatingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { engine, store, clock, settings, logger, tracer, periodSeconds } = options;
  const { updaters, feeds, proxy, updateRetention } = settings;
  checkNames(engine, updaters);
  const updates = createFeedUpdates({
    engine,
    store,
    clock,
    ...(updaters && { only: updaters }),
    findNeeded: async () => neededEcosystems(store, await listEcosystems(store)),
    feeds: ({ name, location }, signal) =>
      createFeedReader({
        location: feeds[name] ?? location,
        startedAt: clock.now(),
        ...(proxy && { proxy }),
        signal,
      }),
    periodSeconds,
    keepOperations: updateRetention,
    onRound: logUpdates(logger, Math.round(periodSeconds * latest)),
  });
  const stop = { graceMs: 0 }; // what was stored of an update stays
  await startJobs({ ...updates, store, settings, logger, tracer, stop }, resources);
}

/** @throws UsageError for the name of no feed */
function checkNames(engine: Engine, names: readonly string[] | undefined): void {
  const known = feedNames(engine);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`updaters: expected some of ${[...known].sort().join(", ")}, found ${JSON.stringify(unknown)}`);
}
