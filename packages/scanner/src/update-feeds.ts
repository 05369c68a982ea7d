import { type Engine, type Problem, ScanError } from "@plimsoll/core";
import {
  createFeedReader,
  type MatcherStore,
  type UpdateEvent,
  type UpdateResult,
  updateFeeds as update,
} from "@plimsoll/matcher";

/** Which feeds to update, and from where. */
export interface UpdateFeedsOptions {
  /** Updater names; absent: all of the engine. */
  readonly only?: readonly string[];
  /** A file, folder or address by updater name, where it is not the updater's own. */
  readonly locations?: Readonly<Record<string, string>>;
  readonly onEvent?: (event: UpdateEvent) => void;
  readonly signal?: AbortSignal;
}

/** What an update works on. */
export interface FeedWorkshop {
  readonly store: MatcherStore;
  readonly engine: Engine;
  readonly clock: { now(): number };
  readonly offline: boolean;
}

/** Brings feeds up to date; see `Scanner.updateFeeds`. */
export function updateFeeds(
  { store, engine, clock, offline }: FeedWorkshop,
  { only, locations = {}, onEvent, signal }: UpdateFeedsOptions,
): Promise<readonly UpdateResult[]> {
  return update({
    store,
    clock,
    updaters: engine.updaters.filter((updater) => only === undefined || only.includes(updater.name)),
    feeds: ({ name, location }) => createFeedReader({ location: locations[name] ?? location, offline }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(signal === undefined ? {} : { signal }),
  });
}
