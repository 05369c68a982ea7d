import { type FailedUpdate, type FeedStatus, listFailedUpdates, listFeeds, type MatcherStore } from "@plimsoll/matcher";

/** The content of an advisory database. */
export interface DatabaseStatus {
  /** By name. */
  readonly feeds: readonly FeedStatus[];
  /** The feeds whose last update failed, by name; some may have no data at all. */
  readonly failures: readonly FailedUpdate[];
}

/** Returns the content of a database. Cheap for databases of any size. */
export async function databaseStatus(store: MatcherStore): Promise<DatabaseStatus> {
  return { feeds: await listFeeds(store), failures: await listFailedUpdates(store) };
}
