import { type BlobStore, BlobStoreError } from "../../ports/blob-store.ts";
import { wrapPort } from "../../ports/wrap-port.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { hasStoredBlobs } from "./queries.ts";

/**
 * A blob store that is `unavailable` while its folder is not there although the database has blobs: its volume is not mounted. Otherwise each
 * blob would count as missing, and new ones would be written to the disk below. The folder is only looked for before a write, and when
 * there is no blob to read.
 * @param registry where the blobs are recorded; read at each use
 * @example
 * declare const store: RegistryStore;
 * const blobs = guardFolder(createFileBlobStore("/mnt/blobs"), store);
 */
export function guardFolder(blobs: BlobStore, registry: { readonly db: RegistryDb }): BlobStore {
  async function check(): Promise<void> {
    const missing = await blobs.findMissingFolder();
    if (missing === undefined || !(await hasStoredBlobs(registry.db))) return;
    const advice = "mount its volume, or restore it from a backup; create it to go on without its blobs";
    throw new BlobStoreError("unavailable", `${missing} is not there, and the database has blobs: ${advice}`);
  }
  return wrapPort(blobs, {
    async find(digest) {
      const sizeBytes = await blobs.find(digest);
      if (sizeBytes === undefined) await check();
      return sizeBytes;
    },
    async *read(digest, range, options) {
      try {
        yield* blobs.read(digest, range, options);
      } catch (error) {
        if (error instanceof BlobStoreError && error.code === "not_found") await check();
        throw error;
      }
    },
    async delete(digest) {
      await check();
      await blobs.delete(digest);
    },
    async append(uploadId, source, options) {
      await check();
      return blobs.append(uploadId, source, options);
    },
    async commit(uploadId, digest) {
      await check();
      return blobs.commit(uploadId, digest);
    },
  });
}
