import { digestHex } from "@plimsoll/core/digest";
import pLimit from "p-limit";
import { type BlobStore, BlobStoreError, type BlobStoreErrorCode, isLostBlob } from "../../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import { noteFault } from "./damaged-blobs.ts";
import { inspectBlob, otherDigest, unreadable } from "./inspect-blob.ts";
import { asProblem, type BlobProblem, linkedBlobs, type StoredBlob } from "./linked-blobs.ts";

/** Options of {@link copyBlobs}. */
export interface CopyBlobsOptions {
  /** Lists the blobs. */
  readonly db: RegistryDb;
  readonly from: BlobStore;
  readonly to: BlobStore;
  /** Incremented for each blob that was copied, or was present already. */
  readonly copied?: { blobs: number; bytes: number; present: number };
  readonly signal?: AbortSignal;
}

/** How many blobs are copied at the same time. */
const concurrency = 4;

/**
 * Copies all blobs of repositories and archived logs to another blob store. Blobs that it has with the right size are skipped, so that a copy
 * can be stopped and repeated; with another size they are replaced. Digests are verified.
 * @returns the blobs that could not be copied, since they are missing or damaged
 * @throws BlobStoreError `unavailable`, `full`
 * @example
 * declare const store: RegistryStore;
 * const [from, to] = [createFileBlobStore("blobs"), createFileBlobStore("/mnt/blobs")];
 * for await (const { digest, problem } of copyBlobs({ db: store.db, from, to })) console.log(digest, problem);
 */
export async function* copyBlobs(options: CopyBlobsOptions): AsyncIterable<BlobProblem> {
  const limit = pLimit(concurrency);
  const begun: Promise<BlobProblem | undefined>[] = [];
  for await (const blob of linkedBlobs(options.db)) {
    options.signal?.throwIfAborted();
    const copying = limit(() => copyOne(blob, options));
    copying.catch(() => {}); // it is awaited below
    begun.push(copying);
    if (begun.length < 2 * concurrency) continue;
    const problem = await begun.shift();
    if (problem !== undefined) yield problem;
  }
  for (const copying of begun) {
    const problem = await copying;
    if (problem !== undefined) yield problem;
  }
}

async function copyOne(
  blob: StoredBlob,
  { db, from, to, copied = { blobs: 0, bytes: 0, present: 0 }, signal }: CopyBlobsOptions,
): Promise<BlobProblem | undefined> {
  const { digest, sizeBytes } = blob;
  const presentBytes = await to.find(digest).catch(ofDamaged);
  if (presentBytes === sizeBytes) {
    copied.present += 1;
    return undefined;
  }
  const uploadId = `copy-${digestHex(digest).slice(0, 32)}`;
  try {
    await to.deleteUpload(uploadId); // of a copy that was stopped
    await to.append(uploadId, stoppable(from.read(digest), signal), { offset: 0, maxBytes: sizeBytes });
    await to.commit(uploadId, digest);
    copied.blobs += 1;
    copied.bytes += sizeBytes;
    return undefined;
  } catch (error) {
    const problem = error instanceof BlobStoreError ? await problemOf(error, from, blob) : undefined;
    if (problem === undefined) throw error;
    return await asProblem(db, blob, problem);
  } finally {
    await to.deleteUpload(uploadId);
  }
}

/** What is wrong with a blob that could not be copied, in the words of a verification; undefined if the fault is not the blob's. */
async function problemOf(error: BlobStoreError, from: BlobStore, blob: StoredBlob): Promise<string | undefined> {
  if (error.code === "damaged") return unreadable(error);
  if (!ofContent.has(error.code)) return undefined;
  return (await inspectBlob(from, blob, { quick: true }))?.problem ?? otherDigest;
}

const ofContent: ReadonlySet<BlobStoreErrorCode> = new Set(["not_found", "wrong_digest", "too_large"]);

/** A damaged blob is replaced like one of another size. */
function ofDamaged(error: unknown): undefined {
  if (!isLostBlob(error)) throw error;
}

async function* stoppable(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

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
