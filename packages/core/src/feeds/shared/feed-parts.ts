import { ScanError } from "../../errors.ts";
import type { Feed, FeedDocument, FeedFolder, FeedReader } from "../../plugins/feed.ts";
import type { Fingerprint } from "../../plugins/updater.ts";

/** An existing feed, or one of the parts in which it is published. */
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

/** All current parts and their fingerprint. */
export interface ChangedParts {
  readonly fingerprint: Fingerprint;
  readonly parts: readonly ReadablePart[];
}

/** Opens the parts of a feed one by one with the validator of the last run, so that unchanged parts are not sent again. */
export interface FeedParts {
  /** @throws ScanError `not_found` */
  get(name?: string): Promise<FeedPart>;
  /** Undefined where there is no such part. */
  find(name?: string): Promise<FeedPart | undefined>;
  /** The parts to read, each once; undefined when every part is unchanged and no part was added or removed. */
  finish(parts: readonly FeedPart[]): Promise<ChangedParts | undefined>;
}

/**
 * Starts a run over a feed's parts. `revision` is that of the updater's parser. It is increased when a change alters the advisories of
 * the same documents, so that they are read again.
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
      return { parts: distinctParts(readable), fingerprint: formatFingerprint(readable, revision) };
    },
  };
}

/** The codes of servers' answers for a document that does not exist. */
const absentCodes: ReadonlySet<string> = new Set(["not_found", "not_permitted", "unauthorized"]);

async function openIfThere(feeds: FeedReader, name?: string, validator?: string): Promise<Feed | undefined> {
  try {
    return await feeds.open(name, validator);
  } catch (error) {
    if (error instanceof ScanError && absentCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** Opens an unchanged part again as a whole, since the new snapshot must contain it too. */
async function readablePart(feeds: FeedReader, { name, feed }: FeedPart): Promise<ReadablePart> {
  const opened = feed.kind === "unchanged" ? await feeds.open(name) : feed;
  if (opened.kind !== "unchanged") return { name, feed: opened };
  throw new ScanError("feed_unreachable", `${name ?? "the feed"} answers "unchanged" to a request without a validator`);
}

/** The parts without repetitions: the configured location may itself be one of the parts beside it. */
function distinctParts(parts: readonly ReadablePart[]): readonly ReadablePart[] {
  return [...new Map(parts.toReversed().map((part) => [part.feed.location, part])).values()].toReversed();
}

function formatFingerprint(parts: readonly ReadablePart[], revision: number): Fingerprint {
  return `${revision} ${JSON.stringify(parts.map(({ name, feed }) => [name ?? "", feed.validator]))}`;
}

/** The validators in a fingerprint; empty for a fingerprint of another updater or an earlier parser. */
function parseFingerprint(fingerprint: Fingerprint | undefined, revision: number): ReadonlyMap<string, string> {
  const prefix = `${revision} `;
  if (!fingerprint?.startsWith(prefix)) return new Map();
  return new Map(JSON.parse(fingerprint.slice(prefix.length)) as [string, string][]);
}
