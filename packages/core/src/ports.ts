/** What the engine needs from its surroundings. */
import type { ByteParts } from "./bytes/byte-parts.ts";
import type { Bytes } from "./bytes/bytes.ts";
import type { Advisory, AdvisoryRule } from "./model/advisory.ts";
import type { DigestAlgorithm } from "./model/digest.ts";
import type { MatchKey } from "./plugins/matcher.ts";

/** Computes a digest as bytes go by. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Lower-case hex; ends the hasher. */
  hex(): string;
}

/** Makes hashers; `node:crypto` in Node. */
export type CreateHasher = (algorithm: DigestAlgorithm) => Hasher;

/** What a decompressor may know of a stream beforehand. */
export interface DecompressOptions {
  /** Compressed bytes, as promised: a hint, nothing relies on it. */
  readonly sizeBytes?: number;
  /**
   * Whether the consumer compares a digest of all the output with a promised one. The format's own checksum would add
   * nothing and need not be computed.
   */
  readonly isVerified?: boolean;
}

/**
 * Decompresses a stream. Throws ScanError `layer_truncated` or `layer_corrupt`; stops reading its source as soon as its
 * consumer stops.
 */
export type Decompress = (source: Bytes, options?: DecompressOptions) => Bytes;

/** The decompressors of a platform by compression. Absent: such layers end in `unsupported_compression`. */
export interface Decompressors {
  readonly gzip: Decompress;
  readonly zstd?: Decompress;
}

/** A content outside memory. Its length is what has been appended so far. */
export interface ScratchContent extends ByteParts {
  /** Adds to the end; false when there is no room: then the content is what it was. */
  append(bytes: Uint8Array): boolean;
  /** Empties it: its room can be used for another content. Parts that were had of it stay as they are. */
  clear(): void;
}

/** Room outside memory for large contents, a folder for temporary files for example. */
export interface Scratch {
  /** Begins a content; undefined where there is no such room. */
  begin(): ScratchContent | undefined;
}

/** A source to look up advisories in. */
export interface AdvisorySource {
  /** Every advisory of the keys, in a stable order. */
  lookup(keys: readonly MatchKey[]): Promise<readonly AdvisoryRule[]>;
  /** The whole advisories of the ids, in the order of `ids`. */
  details(ids: readonly string[]): Promise<readonly Advisory[]>;
  /** Which of the ecosystems any loaded feed speaks of, and as of when. */
  coverage(ecosystems: readonly string[]): Promise<readonly FeedCoverage[]>;
}

/** Whether advisories for an ecosystem are loaded. */
export interface FeedCoverage {
  readonly ecosystem: string;
  readonly covered: boolean;
  /** When the feed was last found to be up to date. */
  readonly checkedAt?: number;
  /** Whether that is longer ago than the caller allows; absent where no age was given. */
  readonly outdated?: boolean;
  /** Why the last update of the feed, or of one of the feeds, failed: the advisories are those of before. Absent where none did. */
  readonly failure?: string;
}
