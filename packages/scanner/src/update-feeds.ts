import { readdir, rm, rmdir, stat } from "node:fs/promises";
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

/** Options of an update of feeds. */
export interface UpdateFeedsOptions {
  /**
   * The names of updaters, including those of enrichers, or `all` for all of the engine. Absent: the feeds that images indexed with the
   * database need and those that are loaded; in a new database those that most images need.
   */
  readonly only?: readonly string[] | "all";
  /** A file, folder or address by updater name, in place of the updater's own. */
  readonly locations?: Readonly<Record<string, string>>;
  readonly onEvent?: (event: UpdateEvent) => void;
  readonly signal?: AbortSignal;
}

/** What an update needs. */
export interface FeedDeps {
  readonly store: MatcherStore;
  readonly engine: Engine;
  readonly clock: { now(): number };
  /** The ecosystems of the indexed images. */
  indexed(): Promise<readonly string[]>;
  readonly offline: boolean;
  /** The folder for interrupted downloads, which the next update resumes; see `createFeedReader`. */
  readonly downloads?: string;
  readonly proxy?: ProxySettings;
}

/** Updates feeds; see `Scanner.updateFeeds`. */
export async function updateFeeds(
  { store, engine, clock, offline, proxy, indexed, downloads }: FeedDeps,
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
        downloads: downloads ? join(downloads, encodeURIComponent(name)) : undefined,
        onBytes:
          onEvent === undefined
            ? undefined
            : (document: string, bytes: number, totalBytes?: number) =>
                onEvent({ kind: "downloading", updater: name, document, bytes, totalBytes: totalBytes || undefined }),
        proxy,
        signal,
      }),
    onEvent,
    signal,
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

/** How long an interrupted download is kept for the next update. */
const maxAgeMs = 7 * 86_400_000;

/**
 * Deletes interrupted downloads that no update has resumed for a week, which are of feeds that are no longer fetched. Deletes the folder
 * too when it is empty; does nothing if it does not exist.
 * @param folder contains one folder per feed, see `downloads` of `createFeedReader`
 * @param now epoch milliseconds
 */
export async function expireDownloads(folder: string, now: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const feed = join(folder, name);
    const files = (await namesIn(feed)).map((file) => join(feed, file));
    // An empty folder may be one that another process is about to write to.
    const times = await Promise.all((files.length > 0 ? files : [feed]).map(modifiedAt));
    if (times.every((time) => now - time > maxAgeMs)) await rm(feed, { recursive: true, force: true });
  }
  await rmdir(folder).catch(() => {}); // fails, and is kept, while it contains downloads
}

/** Empty if the folder does not exist, also because another process has just deleted it. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
