import type { FeedFile } from "../../feeds/shared/feed-files.ts";
import { malformedFeed } from "../../feeds/shared/malformed-feed.ts";

/**
 * The document that a feed consists of: itself, or the one of its folder whose name is the last that fits, which of dated
 * documents is the newest.
 * @throws ScanError `malformed_feed` for a folder without any
 */
export function onlyFile(files: readonly FeedFile[], pattern: RegExp): FeedFile {
  const file = files.findLast(({ name }) => name === "" || pattern.test(name));
  if (file === undefined) throw malformedFeed("the folder of the feed", `expected a file like ${pattern}, found none`);
  return file;
}
