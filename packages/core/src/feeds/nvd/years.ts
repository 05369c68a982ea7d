import type { Bytes } from "../../bytes/bytes.ts";
import { pureHasher } from "../../bytes/pure-hasher.ts";
import { ScanError } from "../../errors.ts";
import type { FeedDocument, FeedReader } from "../../plugins/feed.ts";
import type { Fingerprint } from "../../plugins/updater.ts";
import { decompressed } from "../shared/decompressed.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";

/** The first year with a document, which also has the vulnerabilities of earlier years. */
const firstYear = 2002;

/** The maximal size of a `.meta` file, which has about 160 bytes. */
const maxMetaBytes = 4096;

/** The digests of the yearly documents by year, from their `.meta` files. */
export type YearDigests = ReadonlyMap<number, string>;

/**
 * Reads the `.meta` files from the first year to the last that has one.
 * @throws ScanError `not_found` where a required year is missing: one before the present year, or one of `known`
 */
export async function fetchYears(feeds: FeedReader, known: YearDigests): Promise<YearDigests> {
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
export type PlainDocument = Pick<FeedFile, "location" | "stream">;

/** The document of a year. Its stream ends in an error where it does not have the digest of the `.meta` file. */
export async function openYear(feeds: FeedReader, year: number, digest: string): Promise<PlainDocument> {
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
export function formatYears(digests: YearDigests, revision: number): Fingerprint {
  return `years ${revision} ${JSON.stringify([...digests])}`;
}

/** The inverse of {@link formatYears}; empty for a fingerprint of another form or an earlier parser. */
export function parseYears(fingerprint: Fingerprint | undefined, revision: number): YearDigests {
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
