import type { FeedFile } from "../../feeds/shared/feed-files.ts";
import { leftOutRecord, malformedFeed } from "../../feeds/shared/malformed-feed.ts";
import type { FeedRecord } from "../../plugins/updater.ts";

/** The document of a feed, and what became of the others. */
export interface NewestFile {
  readonly file: FeedFile;
  readonly skipped: readonly FeedRecord[];
}

/**
 * The document of a feed: the feed itself, or in a folder the last file whose name matches, which is the newest if names have dates.
 * @throws ScanError `malformed_feed` for a folder without such a file
 */
export function newestFile(files: readonly FeedFile[], pattern: RegExp): NewestFile {
  const matches = ({ name }: FeedFile) => name === "" || pattern.test(name);
  const file = files.findLast(matches);
  if (file === undefined) throw malformedFeed("the folder of the feed", `expected a file like ${pattern}, found none`);
  const others = files.filter((other) => other !== file);
  const ruleOf = (other: FeedFile) => (matches(other) ? "replaced" : "not-an-advisory");
  return { file, skipped: others.map((other) => leftOutRecord(ruleOf(other), other.location)) };
}
