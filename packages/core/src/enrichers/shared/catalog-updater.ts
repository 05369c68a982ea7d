import { type FeedFile, feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { leftOutRecord, malformedFeed } from "../../feeds/shared/malformed-feed.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem, FeedRecord, FeedScope, Updater } from "../../plugins/updater.ts";

/** A feed of facts that is one JSON document. */
export interface Catalog {
  readonly name: string;
  readonly location: string;
  readonly scope: FeedScope;
  /** Increased when the same document would give other records. */
  readonly revision: number;
  /** The largest document that is read. */
  readonly maxBytes: number;
  records(document: JsonPlace): readonly FeedItem<EnrichmentRecord>[];
}

/** Makes the updater of a feed that is one JSON document. */
export function catalogUpdater({ maxBytes, records, ...feed }: Catalog): Updater<EnrichmentRecord> {
  return snapshotUpdater({
    ...feed,
    async items(parts) {
      const { file, skipped } = newestFile(parts.flatMap(feedFiles), /\.json$/);
      const catalog = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
      return inOrder([...skipped, ...records(documentPlace(catalog, file.location, "malformed_feed"))]);
    },
  });
}

async function* inOrder(records: readonly FeedItem<EnrichmentRecord>[]): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  yield* records;
}

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
