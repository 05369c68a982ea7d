import { decompressed } from "../../feeds/shared/decompressed.ts";
import { type FeedFile, feedFiles } from "../../feeds/shared/feed-files.ts";
import { type FeedPart, feedParts } from "../../feeds/shared/feed-parts.ts";
import { jsonItems } from "../../feeds/shared/json-items.ts";
import { malformedFeed, recordItems } from "../../feeds/shared/malformed-feed.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type {
  EnrichmentRecord,
  FeedItem,
  FeedReader,
  Fingerprint,
  RecordChange,
  Update,
  Updater,
} from "../../plugins.ts";
import { type NvdRecord, packMetrics, readNvdRecord } from "./cve-record.ts";
import { fetchYears, formatYears, openYear, type PlainDocument, parseYears, type YearDigests } from "./years.ts";

/** Raised when the same documents would give other facts. */
const revision = 1;

/**
 * Brings scores of the National Vulnerability Database in: from its yearly documents, or from a document, plain or compressed with gzip, or
 * a folder of these. After the first time only the years that changed are read.
 * @see https://nvd.nist.gov/vuln/data-feeds
 */
export const nvdUpdater: Updater<EnrichmentRecord> = {
  name: "nvd",
  location: "https://nvd.nist.gov/feeds/json/cve/2.0/nvdcve-2.0-2002.meta",
  scope: { partBytes: {}, sharedBytes: 130e6 },
  update,
};

async function update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<EnrichmentRecord>> {
  const parts = feedParts(feeds, revision, previous);
  const whole = await parts.find();
  if (whole === undefined || !(await isData(whole))) return updateYears(feeds, previous);
  const changed = await parts.finish([whole]);
  if (changed === undefined) return { kind: "unchanged" };
  const files = changed.parts.flatMap(feedFiles).filter(({ name }) => /^$|\.json(?:\.gz)?$/.test(name));
  if (files.length === 0) throw malformedFeed("the folder of NVD", "expected JSON documents, found none");
  return { kind: "snapshot", fingerprint: changed.fingerprint, items: factsOf(recordsOf(files.map(plainDocument))) };
}

/** Whether the location has records itself, and not a `.meta` file or a page beside yearly documents. */
async function isData({ feed }: FeedPart): Promise<boolean> {
  if (feed.kind !== "document") return true;
  const [first = 0] = await feed.readAt(0, 1);
  return dataBytes.has(first);
}

/** What JSON and gzip begin with: a brace, a blank, a byte order mark, the magic number. */
const dataBytes: ReadonlySet<number> = new Set([0x7b, 0x20, 0x0a, 0x0d, 0xef, 0x1f]);

async function updateYears(feeds: FeedReader, previous: Fingerprint | undefined): Promise<Update<EnrichmentRecord>> {
  const known = parseYears(previous, revision);
  const years = await fetchYears(feeds, known);
  const changed = new Map([...years].filter(([year, digest]) => known.get(year) !== digest));
  if (changed.size === 0) return { kind: "unchanged" };
  const fingerprint = formatYears(years, revision);
  const records = recordsOf(yearDocuments(feeds, changed));
  if (known.size === 0) return { kind: "snapshot", fingerprint, items: factsOf(records) };
  return { kind: "delta", fingerprint, changes: changesOf(records) };
}

/** Year by year: a document is fetched when the one before has been read. */
async function* yearDocuments(feeds: FeedReader, years: YearDigests): AsyncGenerator<PlainDocument> {
  for (const [year, digest] of years) yield openYear(feeds, year, digest);
}

function plainDocument(file: FeedFile): PlainDocument {
  return { location: file.location, stream: () => decompressed(file.stream(), file.location) };
}

async function* recordsOf(
  documents: Iterable<PlainDocument> | AsyncIterable<PlainDocument>,
): AsyncGenerator<FeedItem<NvdRecord>> {
  for await (const { location, stream } of documents) {
    let count = 0;
    for await (const text of jsonItems(stream(), { location, member: "vulnerabilities" })) {
      yield* recordItems(`${location}: vulnerabilities[${count++}]`, (readPart) => [
        readNvdRecord(documentPlace(parseJson(text, location, "malformed_feed"), location, "malformed_feed"), readPart),
      ]);
    }
  }
}

async function* factsOf(records: AsyncIterable<FeedItem<NvdRecord>>): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  for await (const each of records) {
    if (each.kind === "problem") yield each;
    else for (const item of factOf(each.item)) yield { kind: "item", item };
  }
}

/** A vulnerability without scores is named as well: it may have had some. */
async function* changesOf(
  records: AsyncIterable<FeedItem<NvdRecord>>,
): AsyncGenerator<FeedItem<RecordChange<EnrichmentRecord>>> {
  for await (const each of records) {
    if (each.kind === "problem") yield each;
    else yield { kind: "item", item: { record: each.item.cve, items: factOf(each.item) } };
  }
}

function factOf({ cve, metrics }: NvdRecord): readonly EnrichmentRecord[] {
  return metrics.length === 0 ? [] : [{ tags: [cve], record: packMetrics(metrics) }];
}
