import type { FeedFile } from "../../feeds/shared/feed-files.ts";
import { malformedFeed } from "../../feeds/shared/malformed-feed.ts";

/**
 * The document of a feed: the feed itself, or in a folder the last file whose name matches, which is the newest if names have dates.
 * @throws ScanError `malformed_feed` for a folder without such a file
 */
export function newestFile(files: readonly FeedFile[], pattern: RegExp): FeedFile {
  const file = files.findLast(({ name }) => name === "" || pattern.test(name));
  if (file === undefined) throw malformedFeed("the folder of the feed", `expected a file like ${pattern}, found none`);
  return file;
}
