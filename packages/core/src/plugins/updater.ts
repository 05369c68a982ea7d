import type { Advisory } from "../model/advisory.ts";
import type { FeedReader } from "./feed.ts";

/** Identifies the last state of a feed; opaque, made by the updater. */
export type Fingerprint = string;

/** One record of a feed: something usable, or what was wrong with it. One bad record never aborts a feed. */
export type FeedItem<Item> =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "problem"; readonly at: string; readonly message: string };

/**
 * What a run of an updater brought. A `snapshot` is all that the feed says now. A `delta` is what it says now of the records that it
 * names; every other record stays as it was in the state that `previous` identified.
 */
export type Update<Item> =
  | { readonly kind: "unchanged" }
  | { readonly kind: "snapshot"; readonly fingerprint: Fingerprint; readonly items: AsyncIterable<FeedItem<Item>> }
  | {
      readonly kind: "delta";
      readonly fingerprint: Fingerprint;
      readonly changes: AsyncIterable<FeedItem<RecordChange<Item>>>;
    };

/** All that a feed says now of one of its records. Where a delta names a record again, the last change counts. */
export interface RecordChange<Item> {
  /** The `name` of its advisories; for facts, the tag that they are looked up by. */
  readonly record: string;
  /** Empty where the feed has withdrawn the record. */
  readonly items: readonly Item[];
}

/**
 * Whose images need a feed, and how much there is to download the first time. An ecosystem is named as advisory keys begin: `debian`
 * of `debian:12`, `npm`.
 */
export interface FeedScope {
  /** Bytes of the documents of each ecosystem, about; 0 where it has none of its own. */
  readonly partBytes: Readonly<Record<string, number>>;
  /** Bytes of the documents that are for all of them, about. */
  readonly sharedBytes?: number;
  /** Set where the feed is brought in only when it is named, or when all feeds are. */
  readonly isOnRequest?: true;
}

/** Turns one feed into advisories, whatever packaging systems it speaks of. Throws ScanError `malformed_feed` when the document as a whole is unusable. */
export interface Updater<Item = Advisory> {
  readonly name: string;
  /** Where the feed is by default: the address that `FeedReader.open()` without a name leads to. */
  readonly location: string;
  /** Absent where images of every kind need the feed. */
  readonly scope?: FeedScope;
  /** `previous` is absent where nothing of the feed is stored; the answer is then a snapshot. */
  update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Item>>;
}
