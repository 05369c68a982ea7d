import type { Advisory } from "../model/advisory.ts";
import type { FeedReader } from "./feed.ts";

/** Identifies the last state of a feed; opaque, made by the updater. */
export type Fingerprint = string;

/** Why a feed does not use a record or a document, in words. */
export const skipRules: Readonly<Record<SkipRule, string>> = {
  "not-an-advisory": "documents of another form, such as an index or a readme",
  "other-ecosystem": "of a release or an ecosystem that the feed is not read for",
  "no-security-fix": "fixes of bugs, and enhancements",
  "nothing-stated": "that state nothing which the feed is read for: no affected version, no score",
  "not-reviewed": "not reviewed by the publisher",
  "not-released": "not released yet",
  repeated: "of which another document has been read",
  replaced: "of which a newer document is read",
};

/** What became of one record of a feed, or of one document that is not read. */
export type FeedRecord = Extract<FeedItem<never>, { readonly kind: "record" }>;

/** Why a feed does not use a record: a name of {@link skipRules}. */
export type SkipRule = Extract<FeedRecord, { readonly outcome: "skipped" }>["rule"];

/**
 * An item of a feed, the reason why a record or a part of it is unusable, or what became of a record. One bad record never aborts a feed. The
 * engine's updaters account for every record; others need not.
 */
export type FeedItem<Item> =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "problem"; readonly at: string; readonly message: string }
  /** `failed`: nothing of it could be used. `count`: of so many records; absent: of one. */
  | { readonly kind: "record"; readonly outcome: "read" | "withdrawn" | "failed"; readonly count?: number }
  | {
      readonly kind: "record";
      readonly outcome: "skipped";
      readonly rule:
        | "not-an-advisory"
        | "other-ecosystem"
        | "no-security-fix"
        | "nothing-stated"
        | "not-reviewed"
        | "not-released"
        | "repeated"
        | "replaced";
      readonly at: string;
    };

/**
 * The result of one run of an updater. A `snapshot` has all items of the feed. A `delta` has all items of the records that it names;
 * every other record remains as in the state that `previous` identifies.
 */
export type Update<Item> =
  | { readonly kind: "unchanged" }
  | { readonly kind: "snapshot"; readonly fingerprint: Fingerprint; readonly items: AsyncIterable<FeedItem<Item>> }
  | {
      readonly kind: "delta";
      readonly fingerprint: Fingerprint;
      readonly changes: AsyncIterable<FeedItem<RecordChange<Item>>>;
    };

/** The current items of one record of a feed. If a delta names a record several times, the last change counts. */
export interface RecordChange<Item> {
  /** The `name` of its advisories; for enrichment records, the tag that they are looked up by. */
  readonly record: string;
  /** Empty if the feed has withdrawn the record. */
  readonly items: readonly Item[];
}

/** Turns one feed into advisories, which may be for several packaging systems. Throws ScanError `malformed_feed` if the document as a whole is unusable. */
export interface Updater<Item = Advisory> {
  readonly name: string;
  /** The default address of the feed, which `FeedReader.open()` without a name opens. */
  readonly location: string;
  /**
   * The ecosystems that need the feed, and the size of the first download. An ecosystem is named by the beginning of its advisory keys: `debian` of
   * `debian:12`, `npm`. Absent if images of every kind need the feed.
   */
  readonly scope?: {
    /** Approximate bytes of each ecosystem's own documents; 0 if it has none. */
    readonly partBytes: Readonly<Record<string, number>>;
    /** Approximate bytes of the documents that are for all of them. */
    readonly sharedBytes?: number;
    /** Set if an update includes the feed only when it is named, or when all feeds are. */
    readonly isOnRequest?: true;
  };
  /** `previous` is absent if nothing of the feed is stored; the result is then a snapshot. */
  update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Item>>;
}

/** The ecosystems that need a feed, and the size of its first download. */
export type FeedScope = NonNullable<Updater["scope"]>;
