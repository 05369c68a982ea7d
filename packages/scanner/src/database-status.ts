import { type FailedUpdate, type FeedStatus, listFailedUpdates, listFeeds, type MatcherStore } from "@plimsoll/matcher";

/** The content of an advisory database. */
export interface DatabaseStatus {
  /** By name. */
  readonly feeds: readonly FeedStatus[];
  /** The feeds whose last update failed, by name; of some there may be no data at all. */
  readonly failures: readonly FailedUpdate[];
}

/** What a database holds. Cheap, whatever its size. */
export async function databaseStatus(store: MatcherStore): Promise<DatabaseStatus> {
  return { feeds: await listFeeds(store), failures: await listFailedUpdates(store) };
}
