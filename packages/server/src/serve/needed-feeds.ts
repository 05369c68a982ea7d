import { listEcosystems } from "@plimsoll/indexer";
import { chooseFeeds, type FeedPlugins, feedNames, neededEcosystems } from "@plimsoll/matcher";
import type { InstallationStore } from "./open-installation.ts";

/** The names of the feeds that an installation brings in unless its settings name others: what its images need. */
export async function neededFeeds(engine: FeedPlugins, store: InstallationStore): Promise<readonly string[]> {
  return feedNames(chooseFeeds(engine, { needed: await neededEcosystems(store, await listEcosystems(store)) }));
}
