import type { Digest, DigestAlgorithm } from "@plimsoll/core";

/** The bytes from `first` to `last`, both included, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Options of adding bytes to an upload. */
export interface AppendOptions {
  /** How many bytes the upload has already. */
  readonly offset: number;
  /** How many bytes the upload may have then. */
  readonly maxBytes: number;
  /** What the digest will be of, where that is known: saves a reading. sha256 where absent. */
  readonly algorithm?: DigestAlgorithm;
  /** Told of chunks that the store has no use for any more, so that their memory can be used again. Stores need not tell. */
  readonly onWritten?: (chunk: Uint8Array) => void;
}

/**
 * Keeps blobs by their digest, and uploads until they become blobs. What is not committed is not seen as a blob. Errors are
 * {@link BlobStoreError}s.
 */
export interface BlobStore {
  /** The size of a blob in bytes; undefined where there is none. */
  find(digest: Digest): Promise<number | undefined>;
  /**
   * The bytes of a blob, or of a range inside it.
   * @param use `once`: each chunk is done with before the next is asked for, so its memory may be used again
   * @throws BlobStoreError `not_found` at the first read
   */
  read(digest: Digest, range?: ByteRange, use?: "once"): AsyncIterable<Uint8Array>;
  /** An address at which a client may fetch the blob itself for a few minutes; undefined where blobs come through the registry. */
  findAddress(digest: Digest): Promise<string | undefined>;
  /** Removes a blob, if it is there. */
  delete(digest: Digest): Promise<void>;

  /** How many bytes of an upload are kept. */
  countReceived(uploadId: string): Promise<number>;
  /**
   * Adds bytes to the end of an upload. When the source fails, what came before is kept and its error thrown. Several chunks of
   * the source are held at a time: it must not use one twice.
   * @returns how many there are then
   * @throws BlobStoreError `wrong_offset` when the upload has more or fewer bytes than `offset`, or another request added some meanwhile; `too_large`; `full`
   */
  append(uploadId: string, source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<number>;
  /**
   * Makes an upload a blob, as a whole or not at all, and kept through a power failure. The upload stays until it is deleted, so
   * that this can be done again.
   * @returns the size in bytes
   * @throws BlobStoreError `wrong_digest`, `full`
   */
  commit(uploadId: string, digest: Digest): Promise<number>;
  /** Removes an upload, if it is there. */
  deleteUpload(uploadId: string): Promise<void>;
  /** The uploads of which something is kept. */
  listUploads(): AsyncIterable<string>;
  /** Removes what commits left behind whose processes died, if they began before an instant. Absent where none leave anything. */
  removeRemains?(before: number): Promise<void>;
}

/** What a blob store refuses. */
export type BlobStoreErrorCode = "not_found" | "wrong_offset" | "wrong_digest" | "too_large" | "unavailable" | "full";

/** After how many seconds a client is told to try again while a blob store is `unavailable`. */
export const blobStoreRetrySeconds = 5;

/**
 * A blob store could not do what was asked.
 * @example
 * try {
 *   for await (const bytes of createFileBlobStore("blobs").read(parseDigest(`sha256:${"0".repeat(64)}`))) {
 *     console.log(bytes.length);
 *   }
 * } catch (error) {
 *   if (error instanceof BlobStoreError && error.code === "not_found") console.log("there is no such blob");
 * }
 */
export class BlobStoreError extends Error {
  override readonly name = "BlobStoreError";
  readonly code: BlobStoreErrorCode;

  constructor(code: BlobStoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
