import { chooseFeeds, type FeedPlugins, feedNames, type MatcherStore, neededEcosystems } from "@plimsoll/matcher";

/**
 * The names of the feeds that the images of an installation need; it updates these unless its settings name others.
 * @param indexed the ecosystems of the packages in indexed images
 */
export async function neededFeeds(
  engine: FeedPlugins,
  store: MatcherStore,
  indexed: readonly string[],
): Promise<readonly string[]> {
  return feedNames(chooseFeeds(engine, { needed: await neededEcosystems(store, indexed) }));
}
