import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "@plimsoll/core";
import { createFeedReader, feedNames, runUpdates } from "@plimsoll/matcher";
import { UsageError } from "../cli/exit-code.ts";
import { logUpdates } from "./log-updates.ts";
import { unlessOutage } from "./open-database.ts";
import type { ServiceParts } from "./service-parts.ts";

/** What updating needs. */
export interface UpdatingOptions extends ServiceParts {
  readonly engine: Engine;
  readonly periodSeconds: number;
}

/** Keeps the feeds up to date until `resources` is disposed of. @throws UsageError for the name of no updater */
export function openUpdating(options: UpdatingOptions, resources: AsyncDisposableStack): void {
  const { engine, store, clock, settings, logger, periodSeconds } = options;
  const stop = new AbortController();
  const { signal } = stop;
  checkNames(engine, settings.updaters);
  const running = runUpdates(engine, {
    store,
    clock,
    ...(settings.updaters && { only: settings.updaters }),
    feeds: ({ name, location }) =>
      createFeedReader({
        location: settings.feeds[name] ?? location,
        ...(settings.proxy && { proxy: settings.proxy }),
        signal,
      }),
    periodSeconds,
    keepOperations: settings.updateRetention,
    random: Math.random,
    sleep: (delayMs, sleeping) => delay(delayMs, undefined, sleeping === undefined ? {} : { signal: sleeping }),
    onRound: logUpdates(logger, periodSeconds),
    onTrouble: unlessOutage((err) => logger.error({ err }, "updates_failed")),
    signal,
  });
  resources.defer(async () => {
    stop.abort(new Error("the service stops"));
    await running;
  });
}

/** @throws UsageError for the name of no feed */
function checkNames(engine: Engine, names: readonly string[] | undefined): void {
  const known = feedNames(engine);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`updaters: expected some of ${[...known].sort().join(", ")}, found ${JSON.stringify(unknown)}`);
}
