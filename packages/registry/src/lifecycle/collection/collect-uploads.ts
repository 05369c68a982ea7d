import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { graceMs } from "../../content/lifetimes.ts";
import { removeUploadRow } from "../../content/queries/uploads.ts";
import { isUnused, removeFile } from "../../content/remove-file.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import type { Collected } from "./collection.ts";
import { findUpload, isUploadOfLog, listUploadsUntil } from "./queries/manifests.ts";

/** Finds uploads to which no bytes were added for two days. */
export async function findAbandonedUploads(store: RegistryStore, now: number): Promise<readonly Collected[]> {
  const rows = await listUploadsUntil(store.db, now - graceMs.uploads);
  const why = "nothing was added to it for two days";
  return rows.map(({ id, repository_id, received_bytes }) => ({
    kind: "upload",
    repositoryId: repository_id,
    what: id,
    why,
    sizeBytes: received_bytes,
  }));
}

/** Removes an upload, and the blob that it may have become before its process was killed. */
export async function removeUpload(store: RegistryStore, blobs: BlobStore, uploadId: string): Promise<void> {
  const upload = await findUpload(store.db, uploadId);
  if (upload?.digest != null) await removeNamedUpload(store, blobs, { uploadId, digest: parseDigest(upload.digest) });
  else await removeUploadRow(store.db, uploadId);
  await blobs.deleteUpload(uploadId);
}

async function removeNamedUpload(
  store: RegistryStore,
  blobs: BlobStore,
  { uploadId, digest }: { readonly uploadId: string; readonly digest: Digest },
): Promise<void> {
  const take = async (db: RegistryDb) => {
    await removeUploadRow(db, uploadId);
    return isUnused(db, digest);
  };
  await removeFile(store, blobs, { digest, removeRows: take });
}

/** Finds the files of finished uploads whose process was killed before it deleted them. */
export async function* findUploadRemains(store: RegistryStore, blobs: BlobStore): AsyncIterable<Collected> {
  for await (const id of blobs.listUploads()) {
    const upload = await findUpload(store.db, id);
    if (upload !== undefined || (await isUploadOfLog(store.db, id))) continue;
    const sizeBytes = await blobs.countReceived(id);
    yield { kind: "upload", what: id, why: "its upload has ended", sizeBytes };
  }
}
