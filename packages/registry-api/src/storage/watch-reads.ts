import type { Digest } from "@plimsoll/core";
import { type BlobStore, BlobStoreError, type ByteRange, isLostBlob } from "../ports/blob-store.ts";
import type { DamageWatch } from "./damaged-blobs.ts";

/**
 * A blob store whose readers report blobs that are missing, too short, wrong or cannot be read. A range that ends early is an error: an
 * answer that announced it can only be cut off. The bytes of a blob that is read in a range from the first to the last are compared with its
 * digest once a day: clients pull blobs in this way, while scans compare what they read themselves.
 */
export function watchReads(blobs: BlobStore, watch: DamageWatch): BlobStore {
  return {
    find: (digest) => blobs.find(digest),
    read: (digest, range, use) => watched(blobs.read(digest, range, use), { digest, range, watch }),
    async findAddress(digest) {
      const address = await blobs.findAddress(digest);
      if (address !== undefined) watch.glance(digest); // a client that is sent there reports nothing
      return address;
    },
    delete: (digest) => blobs.delete(digest),
    countReceived: (uploadId) => blobs.countReceived(uploadId),
    append: (uploadId, source, options) => blobs.append(uploadId, source, options),
    commit: (uploadId, digest) => blobs.commit(uploadId, digest),
    deleteUpload: (uploadId) => blobs.deleteUpload(uploadId),
    listUploads: () => blobs.listUploads(),
    async removeRemains(before) {
      await blobs.removeRemains?.(before);
    },
  };
}

interface Read {
  readonly digest: Digest;
  readonly range: ByteRange | undefined;
  readonly watch: DamageWatch;
}

/** @throws BlobStoreError `not_found`, `damaged` */
async function* watched(source: AsyncIterable<Uint8Array>, { digest, range, watch }: Read): AsyncIterable<Uint8Array> {
  const expected = range === undefined ? 0 : range.last - range.first + 1;
  const comparison = range?.first === 0 ? watch.beginComparison(digest) : undefined;
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      comparison?.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (isLostBlob(error)) watch.suspect(digest, { quick: error.code === "not_found" });
    throw error;
  }
  if (bytes >= expected) {
    if (comparison !== undefined) await watch.endComparison(digest, comparison, bytes).catch(() => {}); // left to the next reader
    return;
  }
  watch.suspect(digest, { quick: true });
  throw new BlobStoreError("damaged", "it ends too early");
}
