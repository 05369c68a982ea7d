import { ScanError } from "../../errors.ts";
import type { Feed, FeedDocument, FeedFolder, FeedReader } from "../../plugins/feed.ts";
import type { Fingerprint } from "../../plugins/updater.ts";

/** A feed, or one of the parts it is published in, that was there. */
export interface FeedPart {
  /** Undefined for the configured location itself. */
  readonly name: string | undefined;
  readonly feed: Feed;
}

/** A part that can be read. */
export interface ReadablePart {
  readonly name: string | undefined;
  readonly feed: FeedDocument | FeedFolder;
}

/** All parts as they are now, and the fingerprint that says so. */
export interface ChangedParts {
  readonly fingerprint: Fingerprint;
  readonly parts: readonly ReadablePart[];
}

/** Opens the parts of a feed one by one and keeps a validator for each, so that unchanged ones are not sent again. */
export interface FeedParts {
  /** @throws ScanError `not_found` */
  get(name?: string): Promise<FeedPart>;
  /** Undefined where there is no such part. */
  find(name?: string): Promise<FeedPart | undefined>;
  /** What to read; undefined when every part is as it was and no part came or went. */
  finish(parts: readonly FeedPart[]): Promise<ChangedParts | undefined>;
}

/**
 * Begins a run over a feed's parts. `revision` belongs to the updater's parser: raised when the same documents would
 * give other advisories, so that they are read again.
 */
export function feedParts(feeds: FeedReader, revision: number, previous: Fingerprint | undefined): FeedParts {
  const validators = parseFingerprint(previous, revision);
  return {
    async get(name) {
      return { name, feed: await feeds.open(name, validators.get(name ?? "")) };
    },
    async find(name) {
      const feed = await openIfThere(feeds, name, validators.get(name ?? ""));
      return feed === undefined ? undefined : { name, feed };
    },
    async finish(parts) {
      const same = parts.length === validators.size && parts.every(({ feed }) => feed.kind === "unchanged");
      if (same && parts.length > 0) return undefined;
      const readable: ReadablePart[] = [];
      for (const part of parts) readable.push(await readablePart(feeds, part));
      return { parts: readable, fingerprint: formatFingerprint(readable, revision) };
    },
  };
}

/** What servers answer for a name they do not list. */
const absentCodes: ReadonlySet<string> = new Set(["not_found", "not_permitted", "unauthorized"]);

async function openIfThere(feeds: FeedReader, name?: string, validator?: string): Promise<Feed | undefined> {
  try {
    return await feeds.open(name, validator);
  } catch (error) {
    if (error instanceof ScanError && absentCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** An unchanged part is opened again as a whole: the new snapshot must hold it too. */
async function readablePart(feeds: FeedReader, { name, feed }: FeedPart): Promise<ReadablePart> {
  const opened = feed.kind === "unchanged" ? await feeds.open(name) : feed;
  if (opened.kind !== "unchanged") return { name, feed: opened };
  throw new ScanError("feed_unreachable", `${name ?? "the feed"} answers "unchanged" to a request without a validator`);
}

function formatFingerprint(parts: readonly ReadablePart[], revision: number): Fingerprint {
  return `${revision} ${JSON.stringify(parts.map(({ name, feed }) => [name ?? "", feed.validator]))}`;
}

/** Nothing where the fingerprint is another updater's or an earlier parser's. */
function parseFingerprint(fingerprint: Fingerprint | undefined, revision: number): ReadonlyMap<string, string> {
  const prefix = `${revision} `;
  if (!fingerprint?.startsWith(prefix)) return new Map();
  return new Map(JSON.parse(fingerprint.slice(prefix.length)) as [string, string][]);
}
