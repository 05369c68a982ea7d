import type { Engine } from "@plimsoll/core";

/** What brings feeds in: an engine, of which updaters and enrichers count. */
export type FeedPlugins = Pick<Engine, "updaters" | "enrichers">;

/** Those of an engine's updaters and enrichers whose feeds have these names; all where no names are given. */
export function chooseFeeds({ updaters, enrichers }: FeedPlugins, names: readonly string[] | undefined): FeedPlugins {
  if (names === undefined) return { updaters, enrichers };
  return {
    updaters: updaters.filter(({ name }) => names.includes(name)),
    enrichers: enrichers.filter(({ updater }) => names.includes(updater.name)),
  };
}

/**
 * The names of all feeds: of the updaters, then of those that enrichers take their facts from.
 * @example
 * feedNames(createEngine({ ecosystems: allEcosystems })); // "alpine", "debian" and others
 */
export function feedNames({ updaters, enrichers }: FeedPlugins): readonly string[] {
  return [...new Set([...updaters, ...enrichers.map(({ updater }) => updater)].map(({ name }) => name))];
}
