import { documentItems } from "../../feeds/shared/document-items.ts";
import { feedFiles } from "../../feeds/shared/feed-files.ts";
import type { FeedText } from "../../feeds/shared/feed-text.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { recognized } from "../../feeds/shared/recognized.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { cvssSeverity } from "../../model/cvss/score.ts";
import { parseCvss } from "../../model/cvss/vector.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { toRatingJson } from "../../model/rating.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { cveType, ratingsType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
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
  const place = documentPlace(parseJson(bytes, location, "malformed_feed"), location, "malformed_feed");
  return recordItems(location, (readPart) => [recordOf(place, readPart)]);
}

function recordOf(place: JsonPlace, readPart: Parameters<typeof readCveRecord>[1]): EnrichmentRecord {
  const { facts, scores } = readCveRecord(place, readPart);
  return { tags: [facts.cve], record: { facts, scores } as unknown as Json };
}

/** The record that the updater stored. */
function unpackCveRecord(record: Json): CveRecord {
  return record as unknown as CveRecord;
}

/** Adds the facts of the CVE list about each CVE id: its state, its weaknesses, its references. */
export const cveEnricher: Enricher = {
  name: "cve",
  type: cveType,
  updater: cveUpdater,
  tags: cveTags,
  enrich: (_, records) => records.map(({ record }) => unpackCveRecord(record).facts as unknown as Json),
};

/** Adds the severities from the publishers of a CVE record: the organization that assigned the id, and others that add to the record. */
export const cveRatingsEnricher: Enricher = {
  name: "cve-ratings",
  type: ratingsType,
  updater: cveUpdater,
  tags: cveTags,
  enrich: (_, records) => {
    const ratings = records.flatMap(({ record }) => {
      const { facts, scores } = unpackCveRecord(record);
      return scores.map(({ by, source, vector, score }) => {
        const severity = cvssSeverity(score, parseCvss(vector).version);
        return toRatingJson({ by, source, name: facts.cve, severity, text: vector, score });
      });
    });
    return ratings.length === 0 ? undefined : ratings;
  },
};
