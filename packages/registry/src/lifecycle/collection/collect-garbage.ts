import { parseDigest } from "@plimsoll/core/digest";
import { graceMs } from "../../content/lifetimes.ts";
import { lockIfThere } from "../../content/queries/blobs.ts";
import { endRemovals, findUnlinkedBlobs, removeBlob } from "./collect-blobs.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "./collect-deleted.ts";
import { type CollectionSteps, collectRepository } from "./collect-repository.ts";
import { findAbandonedUploads, findUploadRemains, removeUpload } from "./collect-uploads.ts";
import type { Collected, CollectionOptions } from "./collection.ts";
import { findDeleted, listCollectable } from "./find-garbage.ts";
import type { CollectedRepository } from "./queries/garbage.ts";

/**
 * Collects garbage while the registry is used: deleted namespaces and repositories, then tags, manifests, links and uploads without
 * references, and then the blobs that no repository has. It can be stopped at any moment, and resumed. Two collections at once are
 * safe, but do the same work twice.
 * @returns the collected items, one by one
 * @example
 * declare const store: RegistryStore;
 * const options = { store, blobs: createFileBlobStore("blobs"), now: Date.now(), since: Date.now() - 86_400_000 };
 * for await (const { kind, what } of collectGarbage(options)) console.log(`removed ${kind} ${what}`);
 */
export async function* collectGarbage(options: CollectionOptions): AsyncIterable<Collected> {
  const { store, blobs, now, stored, signal } = options;
  for await (const item of findDeleted(store.db)) {
    signal?.throwIfAborted();
    if (item.kind === "repository") await removeDeletedRepository({ store, blobs }, item.what, signal);
    else await removeRetiredNamespace({ store, blobs }, item.what, signal);
    yield item;
  }
  for await (const repository of listCollectable(options)) {
    signal?.throwIfAborted();
    yield* collectRepository(stepsOf(options, repository), repository, now);
  }
  for (const item of await findAbandonedUploads(store, now)) {
    await removeUpload(store, blobs, item.what);
    yield item;
  }
  for await (const item of findUploadRemains(store, blobs)) {
    await blobs.deleteUpload(item.what);
    yield item;
  }
  await blobs.removeRemains(now - graceMs.uploads);
  await endRemovals(store, blobs, signal);
  for await (const item of findUnlinkedBlobs(store.db, stored)) {
    signal?.throwIfAborted();
    if (await removeBlob({ store, blobs }, parseDigest(item.what), now)) yield item;
  }
}

/** Steps of a collection, each in its own transaction. */
function stepsOf({ store, signal }: CollectionOptions, { id }: CollectedRepository): CollectionSteps {
  return {
    db: store.db,
    async locked(take) {
      signal?.throwIfAborted();
      return store.transaction(async (db) => {
        const locked = await lockIfThere(db, id);
        return locked === undefined ? [] : take(db); // it may have been deleted since it was listed
      });
    },
  };
}
