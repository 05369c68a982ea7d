import type { Engine } from "@plimsoll/core";
import {
  collectAllGarbage,
  createFeedReader,
  type MatcherStore,
  type UpdateEvent,
  type UpdateResult,
  updateFeeds as update,
} from "@plimsoll/matcher";
import type { ProxySettings } from "@plimsoll/outbound";

/** Which feeds to update, and from where. */
export interface UpdateFeedsOptions {
  /** Names of feeds: of updaters, of the enrichers' too. Absent: all of the engine. */
  readonly only?: readonly string[];
  /** A file, folder or address by updater name, where it is not the updater's own. */
  readonly locations?: Readonly<Record<string, string>>;
  readonly onEvent?: (event: UpdateEvent) => void;
  readonly signal?: AbortSignal;
}

/** What an update works on. */
export interface FeedContext {
  readonly store: MatcherStore;
  readonly engine: Engine;
  readonly clock: { now(): number };
  readonly offline: boolean;
  readonly proxy?: ProxySettings;
}

/** Brings feeds up to date; see `Scanner.updateFeeds`. */
export async function updateFeeds(
  { store, engine, clock, offline, proxy }: FeedContext,
  { only, locations = {}, onEvent, signal }: UpdateFeedsOptions,
): Promise<readonly UpdateResult[]> {
  const results = await update(engine, {
    store,
    clock,
    ...(only === undefined ? {} : { only }),
    feeds: ({ name, location }) =>
      createFeedReader({
        location: locations[name] ?? location,
        startedAt: clock.now(),
        offline,
        ...(proxy === undefined ? {} : { proxy }),
        ...(signal === undefined ? {} : { signal }),
      }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(signal === undefined ? {} : { signal }),
  });
  await collectAllGarbage(store, undefined, signal);
  return results;
}
