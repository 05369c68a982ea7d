import { join } from "node:path";
import { type Engine, ScanError } from "@plimsoll/core";
import {
  collectAllGarbage,
  createFeedReader,
  feedNames,
  type MatcherStore,
  neededEcosystems,
  type UpdateEvent,
  type UpdateResult,
  updateFeeds as update,
} from "@plimsoll/matcher";
import type { ProxySettings } from "@plimsoll/outbound";
import { expireDownloads } from "./expire-downloads.ts";

/** Which feeds to update, and from where. */
export interface UpdateFeedsOptions {
  /**
   * Names of feeds: of updaters, of the enrichers' too; or `all` of the engine. Absent: what the images need that were indexed with the
   * database, and what is loaded; in a new database what most images need.
   */
  readonly only?: readonly string[] | "all";
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
  /** The ecosystems that images were indexed with. */
  indexed(): Promise<readonly string[]>;
  readonly offline: boolean;
  /** Where downloads that were cut off wait for the next update; see `createFeedReader`. */
  readonly downloads?: string;
  readonly proxy?: ProxySettings;
}

/** Brings feeds up to date; see `Scanner.updateFeeds`. */
export async function updateFeeds(
  { store, engine, clock, offline, proxy, indexed, downloads }: FeedContext,
  { only, locations = {}, onEvent, signal }: UpdateFeedsOptions,
): Promise<readonly UpdateResult[]> {
  if (only !== "all") checkNames(engine, only);
  const results = await update(engine, {
    store,
    clock,
    ...(only === "all"
      ? {}
      : only === undefined
        ? { needed: await neededEcosystems(store, await indexed()) }
        : { only }),
    feeds: ({ name, location }) =>
      createFeedReader({
        location: locations[name] ?? location,
        startedAt: clock.now(),
        offline,
        ...(downloads && { downloads: join(downloads, encodeURIComponent(name)) }),
        ...(onEvent && {
          onBytes: (document: string, bytes: number, totalBytes?: number) =>
            onEvent({ kind: "downloading", updater: name, document, bytes, ...(totalBytes && { totalBytes }) }),
        }),
        ...(proxy === undefined ? {} : { proxy }),
        ...(signal === undefined ? {} : { signal }),
      }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (downloads !== undefined) await expireDownloads(downloads, clock.now());
  await collectAllGarbage(store, undefined, signal);
  return results;
}

function checkNames(engine: Engine, names: readonly string[] = []): void {
  const known = feedNames(engine);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ScanError(
    "not_found",
    `expected a feed of the engine (${known.join(", ")}), found ${JSON.stringify(unknown)}`,
  );
}
