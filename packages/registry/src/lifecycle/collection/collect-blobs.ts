import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { areBlobsHeld } from "../../content/held-blobs.ts";
import { listRemovals } from "../../content/queries/blobs.ts";
import { isUploadDigest } from "../../content/queries/uploads.ts";
import { endRemoval, removeFile } from "../../content/remove-file.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import type { Collected } from "./collection.ts";
import { countLinksOf, listBlobsWithLinks, removeUnlinkedBlob } from "./queries/manifests.ts";

/** How many blobs one query reads. */
const pageLength = 500;

/** Finds the blobs that no repository has, page by page. @param stored counts the other blobs */
export async function* findUnlinkedBlobs(db: RegistryDb, stored = { blobs: 0, bytes: 0 }): AsyncIterable<Collected> {
  let after = "";
  for (;;) {
    const rows = await listBlobsWithLinks(db, { after, limit: pageLength });
    const last = rows.at(-1);
    for (const { digest, size_bytes, links } of rows) {
      if (links === 0) yield blobItem(digest, size_bytes);
      else {
        stored.blobs += 1;
        stored.bytes += size_bytes;
      }
    }
    if (last === undefined) return;
    after = last.digest;
  }
}

/** Finds the blobs that no repository would have without the removed links. @param removedLinks how many links are removed, by digest */
export async function* findFreedBlobs(
  db: RegistryDb,
  removedLinks: ReadonlyMap<string, number>,
  signal?: AbortSignal,
): AsyncIterable<Collected> {
  for (const [digest, removed] of removedLinks) {
    signal?.throwIfAborted();
    const blob = await countLinksOf(db, digest);
    if (blob !== undefined && Number(blob.links) <= removed) yield blobItem(digest, blob.size_bytes);
  }
}

/**
 * Removes a blob that no repository has and no upload is about to become.
 * @returns false if a repository has it again, an upload is about to become it, or the registry is being copied
 */
export async function removeBlob(
  { store, blobs }: { readonly store: RegistryStore; readonly blobs: BlobStore },
  digest: Digest,
  now: number,
): Promise<boolean> {
  const take = async (db: RegistryDb) =>
    !(await areBlobsHeld(db, now)) && !(await isUploadDigest(db, digest)) && (await removeUnlinkedBlob(db, digest));
  return removeFile(store, blobs, { digest, removeRows: take });
}

/** Finishes removals whose process was killed. */
export async function endRemovals(store: RegistryStore, blobs: BlobStore, signal?: AbortSignal): Promise<void> {
  for await (const page of readPages<{ readonly digest: string }>((last) =>
    listRemovals(store.db, last?.digest ?? ""),
  )) {
    for (const { digest } of page) {
      signal?.throwIfAborted();
      await endRemoval(store, blobs, parseDigest(digest));
    }
  }
}

function blobItem(digest: string, sizeBytes: number): Collected {
  return { kind: "blob", what: digest, why: "no repository has it", sizeBytes };
}
