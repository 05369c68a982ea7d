import { isAbsent, type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { documentFile } from "./feed-files.ts";
import type { FeedPart } from "./feed-parts.ts";
import { malformedFeed } from "./malformed-feed.ts";
import { headOf } from "./other-form.ts";

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

/** Whether an object has one of some members. A database's repository also has settings of tools, which have none of its advisories' members. */
export function hasAnyMember(place: JsonPlace, names: readonly string[]): boolean {
  const { value } = place;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return names.some((name) => !isAbsent(memberAt(place, name)));
}

/** Whether a part is JSON, an archive or a folder, compressed or not, instead of a web page. */
export async function isData({ feed }: FeedPart): Promise<boolean> {
  if (feed.kind !== "document") return true;
  const head = await headOf(documentFile(feed));
  const isArchive = head.startsWith("PK") || head.slice(257, 262) === "ustar";
  return isArchive || /^(?:\xef\xbb\xbf)?\s*[[{]/.test(head);
}
