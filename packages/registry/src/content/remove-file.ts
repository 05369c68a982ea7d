import type { Digest } from "@plimsoll/core/digest";
import { singleFlight, systemTime } from "@plimsoll/store";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteRemoval, hasRemoval, insertRemoval, lockDigest } from "./queries/blobs.ts";
import { hasBlob, isUploadDigest } from "./queries/uploads.ts";

/** The file of a blob to remove. */
export interface RemovedFile {
  readonly digest: Digest;
  /** Removes the rows of the file, under the lock of the digest. @returns false if the file must stay */
  readonly removeRows: (db: RegistryDb) => Promise<boolean>;
}

/**
 * Removes the file of a blob in two steps, so that no transaction waits for the blob store. The first step removes the rows of the blob
 * and records the removal. The second step deletes the file and then the record. An upload of the same blob either announced its digest
 * before the first step, and then the file stays; or it finds the record and completes the second step before it stores the blob
 * (`finishUpload`). If the process is killed in between, that upload or the next collection does the second step.
 * @returns whether the file is removed
 */
export async function removeFile(
  store: RegistryStore,
  blobs: BlobStore,
  { digest, removeRows: take }: RemovedFile,
): Promise<boolean> {
  const isTaken = await store.transaction(async (db) => {
    await lockDigest(store, db, digest);
    const isFree = await take(db);
    if (isFree) await insertRemoval(db, digest);
    return isFree;
  });
  if (isTaken) await endRemoval(store, blobs, digest);
  return isTaken;
}

/**
 * Deletes the file of a removal that has begun, or waits until another process has done so. Files are deleted under a lock that is
 * released when its process ends, and never after the record is gone: a blob that an upload stores after that stays.
 */
export async function endRemoval(store: RegistryStore, blobs: BlobStore, digest: Digest): Promise<void> {
  const { signal } = new AbortController();
  await singleFlight(
    { store, ...systemTime },
    {
      name: `registry.remove-blob:${digest}`,
      find: async () => ((await hasRemoval(store.db, digest)) ? undefined : true),
      async work(held) {
        held.throwIfAborted();
        await blobs.delete(digest);
        await deleteRemoval(store.db, digest);
        return true;
      },
      signal,
    },
  );
}

/** Whether neither a blob has the digest nor an upload is about to become it. */
export async function isUnused(db: RegistryDb, digest: Digest): Promise<boolean> {
  return !(await hasBlob(db, digest)) && !(await isUploadDigest(db, digest));
}
