/** Interfaces of the platform that the engine uses. */
import type { ByteParts } from "./bytes/byte-parts.ts";
import type { Bytes } from "./bytes/bytes.ts";
import type { Advisory, AdvisoryRule } from "./model/advisory.ts";
import type { DigestAlgorithm } from "./model/digest.ts";
import type { MatchKey } from "./plugins/matcher.ts";

/** Computes the digest of a stream. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** The digest in lower-case hex. No other call is allowed after it. */
  hex(): string;
}

/** Makes hashers; `node:crypto` in Node. */
export type CreateHasher = (algorithm: DigestAlgorithm) => Hasher;

/** Facts about a stream that its reader knows before decompressing it. */
export type DecompressOptions = NonNullable<Parameters<Decompress>[1]>;

/**
 * Decompresses a stream. Throws ScanError `layer_truncated` or `layer_corrupt`; stops reading its source as soon as its
 * consumer stops.
 */
export type Decompress = (
  source: Bytes,
  options?: {
    /** The stated number of compressed bytes: a hint that may be wrong. */
    readonly sizeBytes?: number;
    /**
     * Whether the consumer compares a digest of the whole output with an expected one. The format's own checksum is then
     * redundant and need not be computed.
     */
    readonly isVerified?: boolean;
  },
) => Bytes;

/** The decompressors of a platform by compression. A layer whose decompressor is absent ends in `unsupported_compression`. */
export interface Decompressors {
  readonly gzip: Decompress;
  readonly zstd?: Decompress;
}

/** A content that is kept outside memory. Its length is the number of bytes appended so far. */
export interface ScratchContent extends ByteParts {
  /** Appends bytes. False when there is no room; the content is then unchanged. */
  append(bytes: Uint8Array): boolean;
  /** Removes all bytes, so that their room can be used again. Parts returned before stay valid. */
  clear(): void;
}

/** Room outside memory for large contents, a folder for temporary files for example. */
export interface Scratch {
  /** Starts an empty content; undefined where there is no such room. */
  begin(): ScratchContent | undefined;
}

/** A store of advisories that matching queries. */
export interface AdvisorySource {
  /** Every advisory of the keys, in a stable order. */
  lookup(keys: readonly MatchKey[]): Promise<readonly AdvisoryRule[]>;
  /** The whole advisories of the ids, in the order of `ids`. */
  details(ids: readonly string[]): Promise<readonly Advisory[]>;
  /** For each of the ecosystems: whether a loaded feed has advisories for it, and how old they are. */
  coverage(ecosystems: readonly string[]): Promise<readonly FeedCoverage[]>;
  /**
   * The distinct names of packages in all advisories for an ecosystem; undefined where they cannot be listed: a package whose whole name is
   * not known is then undecided, whatever the advisories are about.
   */
  names(ecosystem: string): Promise<readonly string[] | undefined>;
}

/** Whether advisories for an ecosystem are loaded. */
export interface FeedCoverage {
  readonly ecosystem: string;
  readonly covered: boolean;
  /** When the feed was last checked and found up to date. */
  readonly checkedAt?: number;
  /** Whether `checkedAt` is older than the caller allows; absent where the caller gave no maximal age. */
  readonly outdated?: boolean;
  /** Why the last update of a feed failed; the advisories are those of the update before. Absent where none failed. */
  readonly failure?: string;
}
