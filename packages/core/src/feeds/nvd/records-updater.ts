import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type {
  FeedItem,
  FeedRecord,
  FeedScope,
  Fingerprint,
  RecordChange,
  Update,
  Updater,
} from "../../plugins/updater.ts";
import { chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles } from "../shared/feed-files.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { isData } from "../shared/is-data.ts";
import { jsonItems } from "../shared/json-items.ts";
import { malformedFeed, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { fetchYears, formatYears, openYear, type PlainDocument, parseYears, type YearDigests } from "./years.ts";

/** The use of the vulnerabilities of the National Vulnerability Database by one feed. */
export interface NvdReading<Item> {
  /** The name of the feed. */
  readonly name: string;
  readonly scope: FeedScope;
  /** Increased when a change alters the items of the same documents. */
  readonly revision: number;
  /**
   * The items of one vulnerability; may be empty.
   * @throws ScanError `malformed_feed` where there is no CVE id
   */
  read(place: JsonPlace, readPart: ReadPart): RecordChange<Item>;
}

/**
 * Imports vulnerabilities of the National Vulnerability Database: from its yearly documents, a document, or a folder of documents. After the
 * first run only the years that changed are read.
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
  const isRecords = whole !== undefined && (await isData(whole)); // not the `.meta` file or page of a site with yearly documents
  if (!isRecords) return updateYears(reading, feeds, previous);
  const changed = await parts.finish([whole]);
  if (changed === undefined) return { kind: "unchanged" };
  const chosen = chooseFiles(changed.parts.flatMap(feedFiles), (name) => name.endsWith(".json"));
  if (chosen.files.length === 0) throw malformedFeed("the folder of NVD", "expected JSON documents, found none");
  const items = itemsOf(changesOf(reading, chosen.files), chosen.skipped);
  return { kind: "snapshot", fingerprint: changed.fingerprint, items };
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

/** Opens the documents one by one: each is fetched after the one before has been read. */
async function* yearDocuments(feeds: FeedReader, years: YearDigests): AsyncGenerator<PlainDocument> {
  for (const [year, digest] of years) yield openYear(feeds, year, digest);
}

/** Includes vulnerabilities without items: they may have had items before. */
async function* changesOf<Item>(
  { read }: NvdReading<Item>,
  documents: Iterable<PlainDocument> | AsyncIterable<PlainDocument>,
): AsyncGenerator<FeedItem<RecordChange<Item>>> {
  for await (const { location, stream } of documents) {
    let count = 0;
    for await (const text of jsonItems(stream(), { location, member: "vulnerabilities" })) {
      let change: RecordChange<Item> | undefined;
      const at = `${location}: vulnerabilities[${count++}]`;
      const items = recordItems(at, (readPart) => {
        change = read(documentPlace(parseJson(text, location, "malformed_feed"), location, "malformed_feed"), readPart);
        return change.items;
      });
      for (const each of items) if (each.kind !== "item") yield each;
      if (change !== undefined) yield { kind: "item", item: change };
    }
  }
}

async function* itemsOf<Item>(
  changes: AsyncIterable<FeedItem<RecordChange<Item>>>,
  skipped: readonly FeedRecord[] = [],
): AsyncGenerator<FeedItem<Item>> {
  yield* skipped;
  for await (const each of changes) {
    if (each.kind === "item") for (const item of each.item.items) yield { kind: "item", item };
    else yield each;
  }
}
