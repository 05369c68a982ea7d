import type { Digest } from "@plimsoll/core/digest";
import type { DigestAlgorithm } from "@plimsoll/core/internal";

/** The bytes from `first` to `last`, both included, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Options of {@link BlobStore.read}. */
export interface ReadOptions {
  /** `once`: the caller finishes with each chunk before it requests the next, so that its memory can be reused. */
  readonly use?: "once";
  /**
   * Called once before the first chunk, with a text that changes when the stored content is written again, by the registry or by another
   * program. A store that has no such text does not call it.
   */
  readonly onVersion?: ((version: string) => void) | undefined;
}

/** Options of {@link BlobStore.append}. */
export interface AppendOptions {
  /** How many bytes the upload has already. */
  readonly offset: number;
  /** The most bytes that the upload may have afterwards. */
  readonly maxBytes: number;
  /** The algorithm of the digest to come, if it is known: saves reading the bytes again on commit. Default: sha256. */
  readonly algorithm?: DigestAlgorithm;
  /** Called with each chunk that the store no longer needs, so that its memory can be reused. Stores need not call it. */
  readonly onWritten?: (chunk: Uint8Array) => void;
}

/**
 * Stores blobs by their digest, and uploads until they are committed as blobs. Errors are {@link BlobStoreError}s.
 */
export interface BlobStore {
  /**
   * The size of a blob in bytes; undefined if the store does not have it.
   * @throws BlobStoreError `damaged` if it has something that can never be read
   */
  find(digest: Digest): Promise<number | undefined>;
  /**
   * The bytes of a blob, or of a range inside it.
   * @throws BlobStoreError `not_found` at the first read; `damaged` if this blob cannot be read while others can: the message is the reason
   */
  read(digest: Digest, range?: ByteRange, options?: ReadOptions): AsyncIterable<Uint8Array>;
  /** An address from which a client can fetch the blob for a few minutes; undefined if clients must fetch it from the registry. */
  findAddress(digest: Digest): Promise<string | undefined>;
  /** Deletes a blob, if the store has it. */
  delete(digest: Digest): Promise<void>;

  /** How many bytes of an upload are stored. */
  countReceived(uploadId: string): Promise<number>;
  /**
   * Appends bytes to an upload. If the source fails, the bytes before the failure are kept and the source's error is thrown. Several
   * chunks are held at a time, so the source must not reuse their memory before `onWritten`.
   * @returns how many bytes the upload has afterwards
   * @throws BlobStoreError `wrong_offset` when the upload has more or fewer bytes than `offset`, or another request has added some in the meantime; `too_large`; `full`
   */
  append(uploadId: string, source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<number>;
  /**
   * Stores an upload as a blob, atomically and durably, also in place of a stored one, which may be damaged. The upload stays until it is
   * deleted, so that a commit can be repeated.
   * @returns the size in bytes
   * @throws BlobStoreError `wrong_digest`, `full`
   */
  commit(uploadId: string, digest: Digest): Promise<number>;
  /** Deletes an upload, if the store has it. */
  deleteUpload(uploadId: string): Promise<void>;
  /** The ids of all uploads that have bytes in the store. */
  listUploads(): AsyncIterable<string>;
  /** The folder that a store has once it has stored a blob, if it is not there; undefined if it is, and of stores that say so themselves. */
  findMissingFolder(): Promise<string | undefined>;
  /** Removes the remains of commits that began before an instant and whose processes died. */
  removeRemains(before: number): Promise<void>;
}

/** The reasons for which a blob store fails. */
export type BlobStoreErrorCode =
  | "not_found"
  | "damaged"
  | "wrong_offset"
  | "wrong_digest"
  | "too_large"
  | "unavailable"
  | "full";

/** The `Retry-After` of responses while a blob store is `unavailable`. */
export const blobStoreRetrySeconds = 5;

/**
 * The failure of a blob store.
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

/** Whether a store has failed to read one blob, because it has lost or damaged it. */
export function isLostBlob(error: unknown): error is BlobStoreError {
  return error instanceof BlobStoreError && (error.code === "not_found" || error.code === "damaged");
}
