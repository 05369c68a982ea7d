import { chooseFeeds, type FeedPlugins, feedNames, type MatcherStore, neededEcosystems } from "@plimsoll/matcher";

/**
 * The names of the feeds that an installation brings in unless its settings name others: what its images need.
 * @param indexed the ecosystems under which packages of indexed images are looked up
 */
export async function neededFeeds(
  engine: FeedPlugins,
  store: MatcherStore,
  indexed: readonly string[],
): Promise<readonly string[]> {
  return feedNames(chooseFeeds(engine, { needed: await neededEcosystems(store, indexed) }));
}
