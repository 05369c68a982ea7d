import { type FeedStatus, listFeeds, type MatcherStore } from "@plimsoll/matcher";

/** What an advisory database holds. */
export interface DatabaseStatus {
  /** By name. */
  readonly feeds: readonly FeedStatus[];
}

/** What a database holds. Cheap, whatever its size. */
export async function databaseStatus(store: MatcherStore): Promise<DatabaseStatus> {
  return { feeds: await listFeeds(store) };
}
