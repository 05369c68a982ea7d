import { countAdvisories, type FeedStatus, listFeeds, type MatcherStore } from "@plimsoll/matcher";

/** What an advisory database holds. */
export interface DatabaseStatus {
  /** By name. */
  readonly feeds: readonly (FeedStatus & { readonly advisories: number })[];
}

/** Counts what a database holds; takes longer the more that is. */
export async function databaseStatus(store: MatcherStore): Promise<DatabaseStatus> {
  const [feeds, counts] = await Promise.all([listFeeds(store), countAdvisories(store)]);
  return { feeds: feeds.map((feed) => ({ ...feed, advisories: counts.get(feed.name) ?? 0 })) };
}
