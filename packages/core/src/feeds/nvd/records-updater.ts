import type { Bytes } from "../../bytes/bytes.ts";
import { pureHasher } from "../../bytes/pure-hasher.ts";
import { ScanError } from "../../errors.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { FeedDocument, FeedReader } from "../../plugins/feed.ts";
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
import { decompressed, type FeedFile, feedFiles } from "../shared/feed-files.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { jsonItems } from "../shared/json-items.ts";
import { malformedFeed, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { isData } from "../shared/recognized.ts";

/** The use of the vulnerabilities of the National Vulnerability Database by one feed. */
interface NvdReading<Item> {
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

/** The first year with a document, which also has the vulnerabilities of earlier years. */
const firstYear = 2002;

/** The maximal size of a `.meta` file, which has about 160 bytes. */
const maxMetaBytes = 4096;

/** The digests of the yearly documents by year, from their `.meta` files. */
type YearDigests = ReadonlyMap<number, string>;

/**
 * Reads the `.meta` files from the first year to the last that has one.
 * @throws ScanError `not_found` where a required year is missing: one before the present year, or one of `known`
 */
async function fetchYears(feeds: FeedReader, known: YearDigests): Promise<YearDigests> {
  const present = feeds.startedAt === undefined ? firstYear : new Date(feeds.startedAt).getUTCFullYear();
  const required = Math.max(firstYear, present - 1, ...known.keys());
  const digests = new Map<number, string>();
  for (let year = firstYear; ; year++) {
    const digest = await fetchDigest(feeds, year, { isRequired: year <= required });
    if (digest === undefined) return digests;
    digests.set(year, digest);
  }
}

/** The codes of servers' answers for a document that does not exist yet. */
const absentCodes: ReadonlySet<string> = new Set(["not_found", "not_permitted"]);

async function fetchDigest(
  feeds: FeedReader,
  year: number,
  { isRequired }: { readonly isRequired: boolean },
): Promise<string | undefined> {
  try {
    const meta = await openDocument(feeds, `nvdcve-2.0-${year}.meta`);
    if (meta.sizeBytes > maxMetaBytes) throw malformedFeed(meta.location, `expected at most ${maxMetaBytes} bytes`);
    return readNvdMeta(await meta.readAt(0, meta.sizeBytes), meta.location);
  } catch (error) {
    if (!isRequired && error instanceof ScanError && absentCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** A document that is read uncompressed. */
type PlainDocument = Pick<FeedFile, "location" | "stream">;

/** The document of a year. Its stream ends in an error where it does not have the digest of the `.meta` file. */
async function openYear(feeds: FeedReader, year: number, digest: string): Promise<PlainDocument> {
  const feed = await openDocument(feeds, `nvdcve-2.0-${year}.json.gz`);
  const { location } = feed;
  return { location, stream: () => verified(decompressed(feed.stream(), location), digest, location) };
}

async function* verified(bytes: Bytes, digest: string, location: string): Bytes & AsyncGenerator<Uint8Array> {
  const hasher = pureHasher("sha256");
  for await (const chunk of bytes) {
    hasher.update(chunk);
    yield chunk;
  }
  const found = hasher.hex();
  if (found !== digest)
    throw malformedFeed(location, `expected a document with the SHA-256 digest ${digest}, found ${found}`);
}

async function openDocument(feeds: FeedReader, name: string): Promise<FeedDocument> {
  const feed = await feeds.open(name);
  if (feed.kind === "document") return feed;
  throw new ScanError("malformed_feed", `expected a document ${name}, found ${feed.kind}`);
}

/** A fingerprint with the digest of each year. `feedParts` ignores it, since it has another form. */
function formatYears(digests: YearDigests, revision: number): Fingerprint {
  return `years ${revision} ${JSON.stringify([...digests])}`;
}

/** The inverse of {@link formatYears}; empty for a fingerprint of another form or an earlier parser. */
function parseYears(fingerprint: Fingerprint | undefined, revision: number): YearDigests {
  const prefix = `years ${revision} `;
  if (!fingerprint?.startsWith(prefix)) return new Map();
  return new Map(JSON.parse(fingerprint.slice(prefix.length)) as [number, string][]);
}

/**
 * The SHA-256 digest of the uncompressed document that a `.meta` file states, in lower-case hex.
 *
 * ```
 * lastModifiedDate:2025-08-07T03:01:41-04:00
 * sha256:D165E29D…
 * ```
 * @throws ScanError `malformed_feed`
 */
function readNvdMeta(bytes: Uint8Array, location: string): string {
  const digest = /^sha256:([0-9a-f]{64})\s*$/im.exec(new TextDecoder().decode(bytes))?.[1];
  if (digest === undefined) throw malformedFeed(location, "expected a line with a SHA-256 digest, found none");
  return digest.toLowerCase();
}
