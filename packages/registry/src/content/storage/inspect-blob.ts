import { createHash } from "node:crypto";
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core/digest";
import { type BlobStore, type BlobStoreError, isLostBlob } from "../../ports/blob-store.ts";
import type { BlobFault } from "../../store/tables/content.ts";
import type { StoredBlob } from "./linked-blobs.ts";

/** How a blob is inspected. */
export interface Inspection {
  /** Whether only sizes are compared, and the blob is not read. */
  readonly quick?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is wrong with the content of a blob. */
export interface FoundFault {
  readonly fault: BlobFault;
  /** A sentence about it without the blob: `it is missing`. */
  readonly problem: string;
}

/**
 * Compares the content of a blob in the blob store with its size and, unless `quick`, with its digest.
 * @returns undefined if it is whole
 * @throws BlobStoreError `unavailable`
 */
export async function inspectBlob(
  blobs: BlobStore,
  { digest, sizeBytes }: StoredBlob,
  { quick, signal }: Inspection = {},
): Promise<FoundFault | undefined> {
  try {
    const stored = await blobs.find(digest);
    if (stored === undefined) return missing;
    if (stored !== sizeBytes) {
      return { fault: "wrong_size", problem: `it has ${stored} bytes instead of ${sizeBytes}` };
    }
    if (quick) return undefined;
    const isWhole = await hasDigest(blobs, digest, signal);
    return isWhole ? undefined : { fault: "wrong_digest", problem: otherDigest };
  } catch (error) {
    if (!isLostBlob(error)) throw error;
    return error.code === "not_found" ? missing : { fault: "unreadable", problem: unreadable(error) };
  }
}

/** The problem of a blob whose bytes are as many as they should be, but are others. */
export const otherDigest = "its bytes have another digest";

const missing: FoundFault = { fault: "missing", problem: "it is missing" };

/** The problem of a blob that the store cannot read. */
export function unreadable({ message }: BlobStoreError): string {
  return `it cannot be read: ${message}`;
}

async function hasDigest(blobs: BlobStore, digest: Digest, signal?: AbortSignal): Promise<boolean> {
  const hash = createHash(digestAlgorithm(digest));
  for await (const chunk of blobs.read(digest, undefined, { use: "once" })) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest("hex") === digestHex(digest);
}
