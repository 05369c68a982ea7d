import type { BlobStore } from "../../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import { noteFault } from "./damaged-blobs.ts";
import { inspectBlob } from "./inspect-blob.ts";
import { asProblem, type BlobProblem, linkedBlobs } from "./linked-blobs.ts";

/** Options of {@link verifyBlobs}. */
export interface VerifyBlobsOptions {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  /** Whether only sizes are compared, and no blob is read. */
  readonly quick?: boolean;
  /** Incremented for each blob that was checked, also if it has a problem. */
  readonly verified?: { blobs: number; bytes: number };
  /** Where faults are recorded and, unless `quick`, ended: repositories do not have a blob with a fault until it is stored again. Absent: nowhere. */
  readonly recordIn?: { readonly store: RegistryStore; readonly now: () => number };
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
  const { db, blobs, quick, verified, recordIn, signal } = options;
  for await (const blob of linkedBlobs(db)) {
    signal?.throwIfAborted();
    const fault = await inspectBlob(blobs, blob, { quick, signal });
    if (recordIn !== undefined && (fault !== undefined || (blob.isDamaged && !quick)))
      await noteFault(recordIn, blob, fault);
    if (verified !== undefined) {
      verified.blobs += 1;
      verified.bytes += blob.sizeBytes;
    }
    const found = fault === undefined ? undefined : await asProblem(db, blob, fault.problem);
    if (found !== undefined) yield found;
  }
}
