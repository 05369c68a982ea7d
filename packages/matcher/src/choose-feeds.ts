import type { Engine, FeedScope } from "@plimsoll/core";

/** What brings feeds in: an engine, of which updaters and enrichers count. */
export type FeedPlugins = Pick<Engine, "updaters" | "enrichers">;

/** Selects feeds. */
export interface FeedChoice {
  /** Names of feeds, of enrichers' too. Those feeds are brought in whole. */
  readonly only?: readonly string[];
  /**
   * Ecosystems whose advisories are needed, as keys begin: `debian` of `debian:12`. Feeds of others are left out; of a feed with a document
   * for each ecosystem, only those of the needed ones are read; feeds that come on request are left out. Absent: all. Without effect beside `only`.
   */
  readonly needed?: ReadonlySet<string>;
}

/**
 * Selects updaters and enrichers of an engine.
 * @example
 * const { updaters } = chooseFeeds(createEngine({ ecosystems: allEcosystems }), { needed: new Set(["debian"]) });
 */
export function chooseFeeds({ updaters, enrichers }: FeedPlugins, { only, needed }: FeedChoice): FeedPlugins {
  if (only !== undefined)
    return {
      updaters: updaters.filter(({ name }) => only.includes(name)),
      enrichers: enrichers.filter(({ updater }) => only.includes(updater.name)),
    };
  if (needed === undefined) return { updaters, enrichers };
  return {
    updaters: updaters.filter(({ scope }) => isNeeded(scope, needed)),
    enrichers: enrichers.filter(({ updater }) => updater.scope?.isOnRequest !== true),
  };
}

function isNeeded(scope: FeedScope | undefined, needed: ReadonlySet<string>): boolean {
  return scope === undefined || Object.keys(scope.partBytes).some((ecosystem) => needed.has(ecosystem));
}

/** A feed that an update is going to download. */
export interface ChosenFeed {
  readonly name: string;
  /** Bytes of its documents, about: what there is to download the first time. Absent where that is not known. */
  readonly sizeBytes?: number;
}

/** The feeds of plug-ins with their sizes, each once. */
export function sizedFeeds({ updaters, enrichers }: FeedPlugins, { only, needed }: FeedChoice): readonly ChosenFeed[] {
  const counted = only === undefined ? needed : undefined;
  const feeds = new Map(
    [...updaters, ...enrichers.map(({ updater }) => updater)].map((feed) => [feed.name, feed.scope]),
  );
  return [...feeds].map(([name, scope]) => ({ name, ...(scope && { sizeBytes: sizeOf(scope, counted) }) }));
}

function sizeOf({ partBytes, sharedBytes = 0 }: FeedScope, needed: ReadonlySet<string> | undefined): number {
  const parts = Object.entries(partBytes).filter(([ecosystem]) => needed?.has(ecosystem) ?? true);
  return parts.reduce((sum, [, bytes]) => sum + bytes, sharedBytes);
}

/**
 * The names of all feeds: of the updaters, then of those that enrichers take their facts from.
 * @example
 * feedNames(createEngine({ ecosystems: allEcosystems })); // "alpine", "debian" and others
 */
export function feedNames({ updaters, enrichers }: FeedPlugins): readonly string[] {
  return [...new Set([...updaters, ...enrichers.map(({ updater }) => updater)].map(({ name }) => name))];
}
