import type { FeedItem } from "../../plugins/updater.ts";
import { malformedFeed } from "./malformed-feed.ts";

/**
 * The items of a feed. A source in which nothing has the form of the feed is an error, so that the stored advisories are not deleted.
 * @param expected what the feed has: `documents of advisories`
 * @throws ScanError `malformed_feed` at the end of such a source
 */
export async function* recognized<Item>(
  items: AsyncIterable<FeedItem<Item>>,
  { feed, expected }: { readonly feed: string; readonly expected: string },
): AsyncGenerator<FeedItem<Item>> {
  let isRecognized = false;
  for await (const each of items) {
    isRecognized ||= isOfFeed(each);
    yield each;
  }
  if (!isRecognized) throw malformedFeed(feed, `expected ${expected}, found none`);
}

/** Rules for documents that the feed does not read at all. */
const foreign: ReadonlySet<string> = new Set(["not-an-advisory", "not-reviewed"]);

function isOfFeed(each: FeedItem<unknown>): boolean {
  return each.kind !== "record" || each.outcome !== "skipped" || !foreign.has(each.rule);
}
