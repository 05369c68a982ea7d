import type { Digest } from "@plimsoll/core/digest";
import {
  type BlobStore,
  BlobStoreError,
  type ByteRange,
  isLostBlob,
  type ReadOptions,
} from "../../ports/blob-store.ts";
import { wrapPort } from "../../ports/wrap-port.ts";
import type { Comparison, DamageWatch } from "./damaged-blobs.ts";

/**
 * A blob store whose readers report blobs that are missing, too short, wrong or cannot be read. A range that ends early is an error: an
 * answer that announced it can only be cut off. The bytes of a blob that is read in a range from the first to the last are compared with its
 * digest once a day, and when its content was written again since: clients pull blobs in this way, while scans compare what they read
 * themselves. A commit ends the fault of a blob.
 */
export function watchReads(blobs: BlobStore, watch: DamageWatch): BlobStore {
  return wrapPort(blobs, {
    read: (digest, range, options) => watched(blobs, { digest, range, options, watch }),
    async findAddress(digest) {
      const address = await blobs.findAddress(digest);
      if (address !== undefined) watch.glance(digest); // a client that is sent there reports nothing
      return address;
    },
    commit: (uploadId, digest) => watch.afterCommit(digest, () => blobs.commit(uploadId, digest)),
  });
}

/** Has a blob inspected. Who reads it learns of the loss of its file after that is recorded, so that what it does about it comes later. */
async function noteLoss(watch: DamageWatch, digest: Digest, how: { readonly quick: boolean }): Promise<void> {
  const inspected = watch.inspect(digest, how).catch(() => {}); // left to the next reader
  if (how.quick) await inspected;
}

interface Read {
  readonly digest: Digest;
  readonly range: ByteRange | undefined;
  readonly options: ReadOptions | undefined;
  readonly watch: DamageWatch;
}

/** @throws BlobStoreError `not_found`, `damaged` */
async function* watched(blobs: BlobStore, { digest, range, options, watch }: Read): AsyncIterable<Uint8Array> {
  const expected = range === undefined ? 0 : range.last - range.first + 1;
  let [bytes, isShort] = [0, false];
  let version: string | undefined;
  let comparison: Comparison | undefined;
  const onVersion = (found: string) => {
    version = found;
    options?.onVersion?.(found);
  };
  try {
    for await (const chunk of blobs.read(digest, range, { ...options, onVersion })) {
      if (bytes === 0 && range?.first === 0) comparison = watch.beginComparison(digest, version);
      bytes += chunk.length;
      comparison?.hash.update(chunk);
      yield chunk;
    }
    isShort = bytes < expected;
    if (isShort) throw new BlobStoreError("damaged", "it ends too early");
    if (comparison !== undefined) await watch.endComparison(digest, comparison, bytes).catch(() => {}); // left to the next reader
  } catch (error) {
    if (isLostBlob(error)) await noteLoss(watch, digest, { quick: error.code === "not_found" || isShort });
    throw error;
  } finally {
    if (bytes > 0) watch.notePart(digest, version);
  }
}
