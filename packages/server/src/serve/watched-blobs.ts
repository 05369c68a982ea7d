import { type BlobStore, BlobStoreError } from "@plimsoll/registry-api";
import { noteWork, type Outage } from "./outages.ts";

type Note = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The same store, of which is noted whether it can be used. */
export function watchedBlobs(blobs: BlobStore, outage: Outage): BlobStore {
  const isOutage = (error: unknown) => error instanceof BlobStoreError && error.code === "unavailable";
  const note: Note = (work) => noteWork(outage, work, isOutage);
  return {
    ...blobs,
    find: (digest) => note(() => blobs.find(digest)),
    read: (digest, range, use) => noteReading(blobs.read(digest, range, use), note),
    delete: (digest) => note(() => blobs.delete(digest)),
    countReceived: (uploadId) => note(() => blobs.countReceived(uploadId)),
    append: (uploadId, offset, source, options) => note(() => blobs.append(uploadId, offset, source, options)),
    commit: (uploadId, digest) => note(() => blobs.commit(uploadId, digest)),
    deleteUpload: (uploadId) => note(() => blobs.deleteUpload(uploadId)),
  };
}

/** Of a reading, its beginning is noted: whatever comes then, the store has answered. */
function noteReading(source: AsyncIterable<Uint8Array>, note: Note): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = source[Symbol.asyncIterator]();
      let isFirst = true;
      return {
        next() {
          if (!isFirst) return chunks.next();
          isFirst = false;
          return note(() => chunks.next());
        },
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
