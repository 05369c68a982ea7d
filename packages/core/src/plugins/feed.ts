import type { Bytes } from "../bytes/bytes.ts";

/** A feed, or a part of one, as a {@link FeedReader} opens it. */
export type Feed = { readonly kind: "unchanged" } | FeedDocument | FeedFolder;

/** One document. It may be read several times until the update ends. */
export interface FeedDocument {
  readonly kind: "document";
  readonly location: string;
  /** What to pass as `previous` next time: an ETag, a date or a digest, as the reader likes. */
  readonly validator: string;
  readonly sizeBytes: number;
  stream(): Bytes;
  /** Fewer bytes only at the end. */
  readAt(offset: number, length: number): Promise<Uint8Array>;
}

/** A folder of documents. */
export interface FeedFolder {
  readonly kind: "folder";
  readonly location: string;
  readonly validator: string;
  /** Relative `/`-separated names, sorted, below every sub-folder. */
  readonly names: readonly string[];
  read(name: string): Promise<Uint8Array>;
}

/**
 * Fetches feeds. The reader implements retries, conditional requests, size limits and address guards.
 * Relative names are resolved against what the user configured for the feed: an address, a folder or a file.
 */
export interface FeedReader {
  /** When the run began, in epoch milliseconds: some feeds have a document a day. Absent where that is not known. */
  readonly startedAt?: number;
  /** The ecosystems that are needed, without releases: a feed that has a document for each leaves the others out. Absent: all. */
  readonly needed?: ReadonlySet<string>;
  /** The configured location itself, with no name. @throws ScanError `not_found`, `feed_unreachable` */
  open(name?: string, previous?: string): Promise<Feed>;
}
