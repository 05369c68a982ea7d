import { type BlobStore, BlobStoreError } from "@plimsoll/registry";
import { noteWork } from "./outages.ts";
import type { Outages } from "./service-parts.ts";

type Note = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The recorded states of a blob store. */
export type BlobOutages = Pick<Outages, "blobs" | "blobSpace">;

/** Wraps a blob store to record whether it is available, and whether it has space. */
export function watchedBlobs(blobs: BlobStore, outages: BlobOutages): BlobStore {
  const note: Note = (work) => noteWork(outages.blobs, work, has("unavailable"));
  const noteWrite: Note = (work) => noteWork(outages.blobSpace, () => note(work), has("full"));
  return {
    ...blobs,
    find: (digest) => note(() => blobs.find(digest)),
    read: (digest, range, options) => noteReading(blobs.read(digest, range, options), note),
    delete: (digest) => note(() => blobs.delete(digest)),
    countReceived: (uploadId) => note(() => blobs.countReceived(uploadId)),
    append: (uploadId, source, options) => noteWrite(() => blobs.append(uploadId, source, options)),
    commit: (uploadId, digest) => noteWrite(() => blobs.commit(uploadId, digest)),
    deleteUpload: (uploadId) => note(() => blobs.deleteUpload(uploadId)),
  };
}

function has(code: BlobStoreError["code"]): (error: unknown) => boolean {
  return (error) => error instanceof BlobStoreError && error.code === code;
}

/** Records the first chunk only: after that, the store has answered. */
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
