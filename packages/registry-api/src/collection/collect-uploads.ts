import { graceMs } from "../content/lifetimes.ts";
import type { BlobStore } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { removeUnknownFile } from "./collect-blobs.ts";
import type { Collected } from "./collected.ts";

/** Uploads that nothing was added to for long. */
export async function findAbandonedUploads(store: RegistryStore, now: number): Promise<readonly Collected[]> {
  const rows = await store.db
    .selectFrom("upload")
    .select(["id", "repository_id", "received_bytes"])
    .where("updated_at", "<=", now - graceMs.uploads)
    .execute();
  const why = "nothing was added to it for two days";
  return rows.map(({ id, repository_id, received_bytes }) => ({
    kind: "upload",
    repositoryId: repository_id,
    what: id,
    why,
    sizeBytes: received_bytes,
  }));
}

/** Removes an upload, with the blob that it had perhaps become when its process died. */
export async function removeUpload(store: RegistryStore, blobs: BlobStore, uploadId: string): Promise<void> {
  const upload = await store.db.selectFrom("upload").select("digest").where("id", "=", uploadId).executeTakeFirst();
  if (upload?.digest != null) await removeUnknownFile(store, blobs, upload.digest);
  await store.db.deleteFrom("upload").where("id", "=", uploadId).execute();
  await blobs.deleteUpload(uploadId);
}

/** What is kept of uploads that are over: their process died before it was removed. */
export async function* findUploadRemains(store: RegistryStore, blobs: BlobStore): AsyncIterable<Collected> {
  for await (const id of blobs.listUploads()) {
    const upload = await store.db.selectFrom("upload").select("id").where("id", "=", id).executeTakeFirst();
    if (upload !== undefined) continue;
    const sizeBytes = await blobs.countReceived(id);
    yield { kind: "upload", what: id, why: "its upload is over", sizeBytes };
  }
}
