import { allUpdaters, createEngine, type Engine } from "@plimsoll/core";
import type { FeedScope } from "@plimsoll/core/internal";

/** The updaters and enrichers of an engine, which read feeds. Without `updaters`: all that come with the engine. */
export type FeedPlugins = Pick<Engine, "updaters" | "enrichers">;

/** Selects feeds. */
export interface FeedChoice {
  /** Names of feeds, including those of enrichers. These feeds are read completely. */
  readonly only?: readonly string[];
  /**
   * The families of ecosystems whose advisories are needed: `debian` for `debian:12`. Feeds of other families are left out, and so are feeds that are
   * only read on request. Of a feed with one document for each ecosystem, only the needed documents are read. Absent: all. Ignored if `only` is given.
   */
  readonly needed?: ReadonlySet<string>;
}

/**
 * Selects updaters and enrichers of an engine.
 * @throws TypeError if an enricher's feed has the name of one of the updaters that come with the engine
 * @example
 * const { updaters } = chooseFeeds(createEngine({ ecosystems: allEcosystems }), { needed: new Set(["debian"]) });
 */
export function chooseFeeds(engine: FeedPlugins, { only, needed }: FeedChoice): Required<FeedPlugins> {
  const { updaters, enrichers } = allFeeds(engine);
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

/** All plug-ins of an engine; the engine of them checks their names. */
function allFeeds({ updaters, enrichers }: FeedPlugins): Required<FeedPlugins> {
  if (updaters === undefined) createEngine({ ecosystems: [], updaters: allUpdaters, enrichers });
  return { updaters: updaters ?? allUpdaters, enrichers };
}

function isNeeded(scope: FeedScope | undefined, needed: ReadonlySet<string>): boolean {
  return scope === undefined || Object.keys(scope.partBytes).some((ecosystem) => needed.has(ecosystem));
}

/** A feed that an update will download. */
export interface ChosenFeed {
  readonly name: string;
  /** The approximate size of its documents, which the first update downloads. Absent if it is not known. */
  readonly sizeBytes?: number;
}

/** The feeds of plug-ins with their sizes, each once. */
export function sizedFeeds(
  { updaters, enrichers }: Required<FeedPlugins>,
  { only, needed }: FeedChoice,
): readonly ChosenFeed[] {
  const counted = only === undefined ? needed : undefined;
  const feeds = new Map(
    [...updaters, ...enrichers.map(({ updater }) => updater)].map((feed) => [feed.name, feed.scope]),
  );
  return [...feeds].map(([name, scope]) => ({ name, sizeBytes: scope && sizeOf(scope, counted) }));
}

function sizeOf({ partBytes, sharedBytes = 0 }: FeedScope, needed: ReadonlySet<string> | undefined): number {
  const parts = Object.entries(partBytes).filter(([ecosystem]) => needed?.has(ecosystem) ?? true);
  return parts.reduce((sum, [, bytes]) => sum + bytes, sharedBytes);
}

/**
 * The names of all feeds: those of updaters, then those of enrichers.
 * @example
 * feedNames(createEngine({ ecosystems: allEcosystems })); // "alpine", "debian" and others
 */
export function feedNames(engine: FeedPlugins): readonly string[] {
  const { updaters, enrichers } = allFeeds(engine);
  return [...new Set([...updaters, ...enrichers.map(({ updater }) => updater)].map(({ name }) => name))];
}
