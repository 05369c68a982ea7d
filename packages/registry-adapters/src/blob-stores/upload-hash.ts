import { createHash, type Hash } from "node:crypto";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { DigestAlgorithm } from "@plimsoll/core/internal";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";

/** The digest of an upload so far. */
export class UploadHash {
  readonly algorithm: DigestAlgorithm;
  readonly #hash: Hash;
  #bytes = 0;

  constructor(algorithm: DigestAlgorithm, hash: Hash = createHash(algorithm)) {
    this.algorithm = algorithm;
    this.#hash = hash;
  }

  /** How many bytes have been hashed. */
  get bytes(): number {
    return this.#bytes;
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  digest(): Digest {
    return parseDigest(`${this.algorithm}:${this.#hash.copy().digest("hex")}`);
  }
}

/**
 * Digests of uploads between their requests, in the memory of one process: the latest thousand. A digest is valid only for the
 * state of the upload that it was computed from; the blob store describes that state as a text.
 */
export class UploadHashes {
  readonly #byUpload = new Map<string, { readonly state: string; readonly hash: UploadHash }>();

  /** Takes the digest of an upload in that state out of the map, if it is known. The caller puts it back. */
  take(uploadId: string, state: string): UploadHash | undefined {
    const entry = this.#byUpload.get(uploadId);
    this.#byUpload.delete(uploadId);
    return entry?.state === state ? entry.hash : undefined;
  }

  put(uploadId: string, state: string, hash: UploadHash): void {
    this.#byUpload.set(uploadId, { state, hash });
    const [oldest] = this.#byUpload.keys();
    if (this.#byUpload.size > maxKept && oldest !== undefined) this.#byUpload.delete(oldest);
  }

  drop(uploadId: string): void {
    this.#byUpload.delete(uploadId);
  }
}

const maxKept = 1000;

/** @throws BlobStoreError `wrong_digest` */
export function checkDigest(computed: Digest, expected: Digest): void {
  if (computed === expected) return;
  throw new BlobStoreError("wrong_digest", `the content was announced as ${expected} but is ${computed}`);
}

/** @throws BlobStoreError `wrong_offset` */
export function checkOffset(received: number, offset: number): void {
  if (received === offset) return;
  throw new BlobStoreError("wrong_offset", `the upload has ${received} bytes: it cannot continue at byte ${offset}`);
}

/** The error of an upload that exceeds its limit. */
export function tooLarge(maxBytes: number): BlobStoreError {
  return new BlobStoreError("too_large", `the upload is larger than ${maxBytes} bytes`);
}

/** Returns an identifier that is safe as part of a path. @throws BlobStoreError `not_found` */
export function checkUploadId(uploadId: string): string {
  if (/^[\w-]{1,64}$/.test(uploadId)) return uploadId;
  throw new BlobStoreError("not_found", "no such upload");
}
