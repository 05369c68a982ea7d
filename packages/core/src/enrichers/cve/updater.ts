import { documentItems } from "../../feeds/shared/document-items.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import type { FeedText } from "../../feeds/shared/feed-text.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { parseRecord } from "../../feeds/shared/parse-record.ts";
import { recognized } from "../../feeds/shared/recognized.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import type { JsonPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type CveRecord, readCveRecord } from "./cve-record.ts";

const recordName = /(?:^|\/)CVE-\d{4}-\d{4,}\.json$/;

/**
 * Reads records of the CVE list: an archive of it, a folder, or one record. Most of its scores are in the National Vulnerability Database too, so
 * it is updated only on request.
 * @see https://github.com/CVEProject/cvelistV5
 */
export const cveUpdater = snapshotUpdater({
  name: "cve",
  location: "https://github.com/CVEProject/cvelistV5/archive/refs/heads/main.zip",
  scope: { partBytes: {}, sharedBytes: 550e6, isOnRequest: true },
  revision: 1,
  items: (parts) => recognized(itemsOf(parts.flatMap(feedFiles)), { feed: "cve", expected: "records of the CVE list" }),
});

async function* itemsOf(files: ReturnType<typeof feedFiles>): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  for (const file of files)
    yield* documentItems(file, { wants: (name) => recordName.test(name), isRecord: () => true, read: readDocument });
}

function readDocument({ bytes, location }: FeedText): readonly FeedItem<EnrichmentRecord>[] {
  const place = parseRecord(bytes, location);
  return recordItems(location, (readPart) => [recordOf(place, readPart)]);
}

function recordOf(place: JsonPlace, readPart: Parameters<typeof readCveRecord>[1]): EnrichmentRecord {
  const { facts, scores } = readCveRecord(place, readPart);
  return { tags: [facts.cve], record: { facts, scores } as unknown as Json };
}

/** The record that the updater stored. */
export function unpackCveRecord(record: Json): CveRecord {
  return record as unknown as CveRecord;
}
