import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, FeedScope, Fingerprint, RecordChange, Update, Updater } from "../../plugins/updater.ts";
import { feedFiles } from "../shared/feed-files.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { isData } from "../shared/is-data.ts";
import { jsonItems } from "../shared/json-items.ts";
import { malformedFeed, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { fetchYears, formatYears, openYear, type PlainDocument, parseYears, type YearDigests } from "./years.ts";

/** What is taken of the vulnerabilities of the National Vulnerability Database. */
export interface NvdReading<Item> {
  /** Of the feed. */
  readonly name: string;
  readonly scope: FeedScope;
  /** Raised when the same documents would give other items. */
  readonly revision: number;
  /**
   * What one vulnerability gives: nothing of one that has nothing to say.
   * @throws ScanError `malformed_feed` where there is no CVE id
   */
  read(place: JsonPlace, readPart: ReadPart): RecordChange<Item>;
}

/**
 * Brings vulnerabilities of the National Vulnerability Database in: from its yearly documents, or from a document, plain or compressed with
 * gzip, or a folder of these. After the first time only the years that changed are read.
 * @see https://nvd.nist.gov/vuln/data-feeds
 */
export function nvdRecordsUpdater<Item>(reading: NvdReading<Item>): Updater<Item> {
  const { name, scope } = reading;
  return {
    name,
    location: "https://nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-2002.meta",
    scope,
    update: (feeds, previous) => updateNvd(reading, feeds, previous),
  };
}

async function updateNvd<Item>(
  reading: NvdReading<Item>,
  feeds: FeedReader,
  previous: Fingerprint | undefined,
): Promise<Update<Item>> {
  const parts = feedParts(feeds, reading.revision, previous);
  const whole = await parts.find();
  const isRecords = whole !== undefined && (await isData(whole)); // and no `.meta` file or page beside yearly documents
  if (!isRecords) return updateYears(reading, feeds, previous);
  const changed = await parts.finish([whole]);
  if (changed === undefined) return { kind: "unchanged" };
  const files = changed.parts.flatMap(feedFiles).filter(({ name }) => /^$|\.json$/.test(name));
  if (files.length === 0) throw malformedFeed("the folder of NVD", "expected JSON documents, found none");
  const changes = changesOf(reading, files);
  return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(changes) };
}

async function updateYears<Item>(
  reading: NvdReading<Item>,
  feeds: FeedReader,
  previous: Fingerprint | undefined,
): Promise<Update<Item>> {
  const known = parseYears(previous, reading.revision);
  const years = await fetchYears(feeds, known);
  const changed = new Map([...years].filter(([year, digest]) => known.get(year) !== digest));
  if (changed.size === 0) return { kind: "unchanged" };
  const fingerprint = formatYears(years, reading.revision);
  const changes = changesOf(reading, yearDocuments(feeds, changed));
  if (known.size === 0) return { kind: "snapshot", fingerprint, items: itemsOf(changes) };
  return { kind: "delta", fingerprint, changes };
}

/** Year by year: a document is fetched when the one before has been read. */
async function* yearDocuments(feeds: FeedReader, years: YearDigests): AsyncGenerator<PlainDocument> {
  for (const [year, digest] of years) yield openYear(feeds, year, digest);
}

/** A vulnerability that gives nothing is named as well: it may have given something before. */
async function* changesOf<Item>(
  { read }: NvdReading<Item>,
  documents: Iterable<PlainDocument> | AsyncIterable<PlainDocument>,
): AsyncGenerator<FeedItem<RecordChange<Item>>> {
  for await (const { location, stream } of documents) {
    let count = 0;
    for await (const text of jsonItems(stream(), { location, member: "vulnerabilities" })) {
      yield* recordItems(`${location}: vulnerabilities[${count++}]`, (readPart) => [
        read(documentPlace(parseJson(text, location, "malformed_feed"), location, "malformed_feed"), readPart),
      ]);
    }
  }
}

async function* itemsOf<Item>(changes: AsyncIterable<FeedItem<RecordChange<Item>>>): AsyncGenerator<FeedItem<Item>> {
  for await (const each of changes) {
    if (each.kind === "problem") yield each;
    else for (const item of each.item.items) yield { kind: "item", item };
  }
}
