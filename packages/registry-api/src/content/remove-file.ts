import type { Digest } from "@plimsoll/core";
import { singleFlight, systemTime } from "@plimsoll/store";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteRemoval, hasRemoval, insertRemoval } from "./queries/blob-removals.ts";
import { lockDigest } from "./queries/blobs.ts";
import { hasBlob, isNamedByUpload } from "./queries/uploads.ts";

/** The file of a blob that is to be removed. */
export interface RemovedFile {
  readonly digest: Digest;
  /** Removes the rows that the file belongs to, under the lock of the digest. @returns false where the file is to stay */
  readonly take: (db: RegistryDb) => Promise<boolean>;
}

/**
 * Removes the file of a blob in two steps, so that no transaction waits for the blob store. The first takes the rows of the blob away and
 * notes the removal. The second deletes the file and then the note. An upload of the same blob either has named it before the first step,
 * and then the file stays, or it finds the note and sees to it that the second step is done before it stores the blob (`finishUpload`).
 * Where the process dies in between, that upload or the next collection does the second step.
 * @returns whether the file was to be removed
 */
export async function removeFile(
  store: RegistryStore,
  blobs: BlobStore,
  { digest, take }: RemovedFile,
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
 * Deletes the file of a removal that has begun, or waits until another process has. Files are deleted under a lock that ends with its
 * process, and not after the note is gone: what an upload stores then stays.
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

/** Whether a digest is neither that of a blob nor what an upload is about to become. */
export async function isUnused(db: RegistryDb, digest: Digest): Promise<boolean> {
  return !(await hasBlob(db, digest)) && !(await isNamedByUpload(db, digest));
}
