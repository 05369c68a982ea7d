import type { Bytes } from "../bytes/bytes.ts";

/** A feed, or a part of one, as a {@link FeedReader} opens it. */
export type Feed =
  | { readonly kind: "unchanged" }
  /** One document. It may be read several times until the update ends. */
  | {
      readonly kind: "document";
      readonly location: string;
      /** Passed as `previous` to the next `open`. An ETag, a date or a digest: the reader chooses. */
      readonly validator: string;
      readonly sizeBytes: number;
      stream(): Bytes;
      /** Returns fewer than `length` bytes only at the end of the document. */
      readAt(offset: number, length: number): Promise<Uint8Array>;
    }
  /** A folder of documents. */
  | {
      readonly kind: "folder";
      readonly location: string;
      readonly validator: string;
      /** Relative `/`-separated names of all files, sub-folders included, sorted. */
      readonly names: readonly string[];
      read(name: string): Promise<Uint8Array>;
    };

/** A feed of one document, or of one part of a feed. */
export type FeedDocument = Extract<Feed, { readonly kind: "document" }>;

/** A feed that is a folder of documents. */
export type FeedFolder = Extract<Feed, { readonly kind: "folder" }>;

/**
 * Fetches feeds. The reader implements retries, conditional requests, size limits and address guards.
 * Relative names are resolved against the configured location of the feed: an address, a folder or a file.
 */
export interface FeedReader {
  /** Start of the update, in epoch milliseconds, for feeds that have a document per day. Absent if unknown. */
  readonly startedAt?: number;
  /** The needed ecosystems, without releases: a feed that has a document per ecosystem skips the others. Absent: all are needed. */
  readonly needed?: ReadonlySet<string>;
  /** Opens the named part of the feed; without a name, the configured location itself. @throws ScanError `not_found`, `feed_unreachable` */
  open(name?: string, previous?: string): Promise<Feed>;
}
