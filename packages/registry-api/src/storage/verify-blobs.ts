import { createHash } from "node:crypto";
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core";
import { type BlobStore, BlobStoreError } from "../ports/blob-store.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { asProblem, type BlobProblem, linkedBlobs, type StoredBlob } from "./linked-blobs.ts";

/** Options of {@link verifyBlobs}. */
export interface VerifyBlobsOptions {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  /** Whether only sizes are compared, and no blob is read. */
  readonly quick?: boolean;
  /** Incremented for each verified blob. */
  readonly verified?: { blobs: number; bytes: number };
  readonly signal?: AbortSignal;
}

/**
 * Checks that all blobs of repositories and archived logs are stored with the right size and, unless `quick`, the right digest. Can run
 * while the registry is in use.
 * @throws BlobStoreError `unavailable`
 * @example
 * declare const store: RegistryStore;
 * const verified = { blobs: 0, bytes: 0 };
 * const options = { db: store.db, blobs: createFileBlobStore("blobs"), quick: true, verified };
 * for await (const { digest, problem } of verifyBlobs(options)) console.log(digest, problem);
 */
export async function* verifyBlobs(options: VerifyBlobsOptions): AsyncIterable<BlobProblem> {
  const { db, verified, signal } = options;
  for await (const blob of linkedBlobs(db)) {
    signal?.throwIfAborted();
    const problem = await problemOf(blob, options);
    if (verified !== undefined) {
      verified.blobs += 1;
      verified.bytes += blob.sizeBytes;
    }
    const found = problem === undefined ? undefined : await asProblem(db, blob, problem);
    if (found !== undefined) yield found;
  }
}

async function problemOf(
  { digest, sizeBytes }: StoredBlob,
  { blobs, quick, signal }: VerifyBlobsOptions,
): Promise<string | undefined> {
  const stored = await blobs.find(digest);
  if (stored === undefined) return "it is missing";
  if (stored !== sizeBytes) return `it has ${stored} bytes instead of ${sizeBytes}`;
  if (quick) return undefined;
  try {
    return (await hasDigest(blobs, digest, signal)) ? undefined : "its bytes have another digest";
  } catch (error) {
    if (error instanceof BlobStoreError && error.code === "not_found") return "it is missing";
    throw error;
  }
}

async function hasDigest(blobs: BlobStore, digest: Digest, signal?: AbortSignal): Promise<boolean> {
  const hash = createHash(digestAlgorithm(digest));
  for await (const chunk of blobs.read(digest, undefined, "once")) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex") === digestHex(digest);
}
