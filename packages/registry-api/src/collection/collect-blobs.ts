import { type Digest, parseDigest } from "@plimsoll/core";
import { removeUnentered } from "../content/finish-upload.ts";
import { areBlobsHeld } from "../content/held-blobs.ts";
import { lockDigest } from "../content/queries/blobs.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import type { Collected } from "./collected.ts";
import { countLinksOf, listBlobsWithLinks, removeUnlinkedBlob } from "./queries/blobs.ts";

/** How many blobs are looked at in one query. */
const pageLength = 500;

/** The blobs that no repository has, found page by page. @param stored counts the others */
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

/** Those of some blobs that no repository would have if some of its links were removed. */
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
 * Removes a blob that no repository has. All of it happens under the lock under which blobs are entered and linked: an upload that
 * stores the same blob meanwhile looks for it afterwards under that lock and stores it again (`finishUpload`). The file is removed
 * before the transaction commits: a crash between the two leaves a row that no client can reach and that is collected again, but
 * never a file without a row.
 * @returns false where a repository has it again, or the registry is being copied
 */
export async function removeBlob(
  store: RegistryStore,
  blobs: BlobStore,
  digest: Digest,
  now: number,
): Promise<boolean> {
  return store.transaction(async (db) => {
    await lockDigest(store, db, digest);
    if (await areBlobsHeld(db, now)) return false;
    const isRemoved = await removeUnlinkedBlob(db, digest);
    if (isRemoved) await blobs.delete(digest);
    return isRemoved;
  });
}

/** Removes the file of a blob that was stored and never entered. */
export async function removeUnknownFile(store: RegistryStore, blobs: BlobStore, digest: string): Promise<void> {
  await store.transaction(async (db) => {
    await lockDigest(store, db, digest);
    await removeUnentered(db, blobs, parseDigest(digest));
  });
}

function blobItem(digest: string, sizeBytes: number): Collected {
  return { kind: "blob", what: digest, why: "no repository has it", sizeBytes };
}
