import type { FeedItem } from "../../plugins/updater.ts";
import { malformedFeed } from "./malformed-feed.ts";

/**
 * The items of a feed. A source in which every document failed is an error, so that the stored advisories are not deleted.
 * @param feed the name of the feed, for messages
 * @throws ScanError `malformed_feed` at the end of such a source, with its first problem
 */
export async function* readable<Item>(
  items: AsyncIterable<FeedItem<Item>>,
  feed: string,
): AsyncGenerator<FeedItem<Item>> {
  let isReadable = false;
  let problem: string | undefined;
  for await (const each of items) {
    if (each.kind === "problem") problem ??= `${each.at}: ${each.message}`;
    else isReadable ||= each.kind === "item" || each.outcome !== "failed";
    yield each;
  }
  if (!isReadable && problem !== undefined) throw malformedFeed(feed, `no document can be read; ${problem}`);
}
