import { parseDigest } from "@plimsoll/core";
import { graceMs } from "../content/lifetimes.ts";
import { lockIfThere } from "../content/queries/lock-repository.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { readPages } from "../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { findFreedBlobs, findUnlinkedBlobs, removeBlob } from "./collect-blobs.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "./collect-deleted.ts";
import { type CollectionSteps, collectRepository } from "./collect-repository.ts";
import { findAbandonedUploads, findUploadRemains, removeUpload } from "./collect-uploads.ts";
import type { Collected } from "./collected.ts";
import {
  type CollectedRepository,
  listDeletedRepositories,
  listLinks,
  listRepositoriesAfter,
  listRetired,
} from "./queries/garbage.ts";

/** What a collection needs. */
export interface CollectionOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly now: number;
  /** Repositories in which nothing can have become garbage since are left out. 0 looks at all of them. */
  readonly since: number;
  /** Counts the blobs that stay. */
  readonly stored?: { blobs: number; bytes: number };
  readonly signal?: AbortSignal;
}

/**
 * Collects garbage while the registry is used: deleted namespaces and repositories, then tags, manifests, links and uploads without
 * references, and then the blobs that no repository has. Can be stopped and started again at any moment. Two collections at once
 * only do the same work twice.
 * @returns the collected items, one by one
 */
export async function* collectGarbage(options: CollectionOptions): AsyncIterable<Collected> {
  const { store, blobs, now, stored, signal } = options;
  for await (const item of findDeleted(store.db)) {
    signal?.throwIfAborted();
    if (item.kind === "repository") await removeDeletedRepository(store, blobs, item.what);
    else await removeRetiredNamespace(store, blobs, item.what, signal);
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
  await blobs.removeRemains?.(now - graceMs.uploads);
  for await (const item of findUnlinkedBlobs(store.db, stored)) {
    signal?.throwIfAborted();
    if (await removeBlob(store, blobs, parseDigest(item.what), now)) yield item;
  }
}

/** What {@link collectGarbage} would collect. Each repository is collected in a transaction that is then undone. */
export async function* planCollection(options: CollectionOptions): AsyncIterable<Collected> {
  const { store, blobs, now } = options;
  const removedLinks = new Map<string, number>();
  for await (const item of findDeleted(store.db)) {
    if (item.kind === "repository") await countLinks(store.db, item.what, removedLinks);
    yield item;
  }
  for await (const repository of listCollectable(options)) {
    for (const item of await undone(store, (db) => planRepository(db, repository, now))) {
      if (item.kind === "link") removedLinks.set(item.what, (removedLinks.get(item.what) ?? 0) + 1);
      yield item;
    }
  }
  yield* await findAbandonedUploads(store, now);
  yield* findUploadRemains(store, blobs);
  yield* findUnlinkedBlobs(store.db);
  yield* await findFreedBlobs(store.db, removedLinks);
}

/** Steps that each are a transaction of their own. */
function stepsOf({ store, signal }: CollectionOptions, { id }: CollectedRepository): CollectionSteps {
  return {
    db: store.db,
    async locked(take) {
      signal?.throwIfAborted();
      return store.transaction(async (db) => {
        const locked = await lockIfThere(db, id);
        return locked === undefined ? [] : take(db); // it may be gone since it was listed
      });
    },
  };
}

/** What a collection would remove from a repository: all steps in one transaction that locks it. */
async function planRepository(
  db: RegistryDb,
  repository: CollectedRepository,
  now: number,
): Promise<readonly Collected[]> {
  if ((await lockIfThere(db, repository.id)) === undefined) return [];
  const items: Collected[] = [];
  for await (const item of collectRepository({ db, locked: (take) => take(db) }, repository, now)) items.push(item);
  return items;
}

/** Runs work in a transaction that is rolled back. */
async function undone<T>(store: RegistryStore, work: (db: RegistryDb) => Promise<T>): Promise<T> {
  const undo = new Error("only a plan");
  let result: { readonly value: T } | undefined;
  try {
    await store.transaction(async (db) => {
      result = { value: await work(db) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (result === undefined) throw undo;
  return result.value;
}

/** The repositories in which there may be garbage. */
async function* listCollectable({ store, now, since }: CollectionOptions): AsyncIterable<CollectedRepository> {
  let after = "";
  for (;;) {
    const rows = await listRepositoriesAfter(store.db, { now, since }, after);
    for (const { id, namespaceId, tag_expiration_s, isCollectable } of rows) {
      if (isCollectable === 1) yield { id, namespaceId, windowMs: tag_expiration_s * 1000 };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * Finds deleted repositories, and then deleted namespaces: a namespace with repositories is removed together with the last of them.
 */
async function* findDeleted(db: RegistryDb): AsyncIterable<Collected> {
  const repositories = readPages<{ readonly id: string }>((after) => listDeletedRepositories(db, after?.id ?? ""));
  for await (const page of repositories) {
    for (const { id } of page) {
      yield { kind: "repository", repositoryId: id, what: id, why: "it was deleted", sizeBytes: 0 };
    }
  }
  const namespaces = await listRetired(db);
  for (const { account_id } of namespaces) {
    yield { kind: "namespace", what: account_id, why: "it was deleted", sizeBytes: 0 };
  }
}

async function countLinks(db: RegistryDb, repositoryId: string, counts: Map<string, number>): Promise<void> {
  const links = await listLinks(db, repositoryId);
  for (const { digest } of links) counts.set(digest, (counts.get(digest) ?? 0) + 1);
}
