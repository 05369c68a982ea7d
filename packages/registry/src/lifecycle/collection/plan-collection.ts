import { lockIfThere } from "../../content/queries/blobs.ts";
import { readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import { findFreedBlobs, findUnlinkedBlobs } from "./collect-blobs.ts";
import { collectRepository } from "./collect-repository.ts";
import { findAbandonedUploads, findUploadRemains } from "./collect-uploads.ts";
import type { Collected, CollectionOptions } from "./collection.ts";
import { findDeleted, listCollectable } from "./find-garbage.ts";
import { type CollectedRepository, listLinks } from "./queries/garbage.ts";

/** Limits of a plan. */
export interface PlanLimits {
  /** The most items that are listed of one repository. While they are searched, pushes to the repository wait. */
  readonly itemsOfRepository: number;
  /** The most blobs whose removed links are counted in memory. */
  readonly links: number;
  /** Whether the plan has taken long enough. */
  isOver(): boolean;
}

/** Options of {@link planCollection}. */
export interface PlanOptions extends CollectionOptions {
  readonly limits?: PlanLimits;
  /** Called when a limit is reached, so that there is more than the plan lists. It may be called several times. */
  readonly onPartial?: () => void;
}

const noLimits: PlanLimits = {
  itemsOfRepository: Number.POSITIVE_INFINITY,
  links: Number.POSITIVE_INFINITY,
  isOver: () => false,
};

/**
 * Plans a garbage collection: lists what it would remove. Each repository is collected in a transaction that is then undone.
 * @returns the items, one by one
 * @example
 * declare const store: RegistryStore;
 * const options = { store, blobs: createFileBlobStore("blobs"), now: Date.now(), since: Date.now() - 86_400_000 };
 * for await (const { kind, what } of planCollection(options)) console.log(`would remove ${kind} ${what}`);
 */
export async function* planCollection(options: PlanOptions): AsyncIterable<Collected> {
  const { store, blobs, now, stored, signal, limits = noLimits, onPartial = () => {} } = options;
  const links = new RemovedLinks(limits.links, onPartial);
  for await (const item of findDeleted(store.db)) {
    if (item.kind === "repository") await addLinks(store.db, item.what, links);
    yield item;
  }
  for await (const repository of listCollectable(options)) {
    signal?.throwIfAborted();
    if (limits.isOver()) {
      onPartial();
      break;
    }
    const planned = await withRollback(store, (db) => planRepository(db, repository, { now, limits }));
    if (planned.isPartial) onPartial();
    for (const item of planned.items) {
      if (item.kind === "link") links.add(item.what);
      yield item;
    }
  }
  yield* await findAbandonedUploads(store, now);
  yield* findUploadRemains(store, blobs);
  signal?.throwIfAborted();
  yield* findUnlinkedBlobs(store.db, stored);
  yield* findFreedBlobs(store.db, links.counts, signal);
}

async function addLinks(db: RegistryDb, repositoryId: string, links: RemovedLinks): Promise<void> {
  const pages = readPages<{ readonly digest: string }>((last) => listLinks(db, repositoryId, last?.digest ?? ""));
  for await (const page of pages) for (const { digest } of page) links.add(digest);
}

/** How many links of each blob would be removed. */
class RemovedLinks {
  readonly counts = new Map<string, number>();
  readonly #most: number;
  readonly #onFull: () => void;

  constructor(most: number, onFull: () => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  add(digest: string): void {
    const count = this.counts.get(digest);
    if (count === undefined && this.counts.size >= this.#most) this.#onFull();
    else this.counts.set(digest, (count ?? 0) + 1);
  }
}

interface PlannedRepository {
  readonly items: readonly Collected[];
  readonly isPartial: boolean;
}

/** What a collection would remove from a repository: all steps in one transaction that locks it. */
async function planRepository(
  db: RegistryDb,
  repository: CollectedRepository,
  { now, limits }: { readonly now: number; readonly limits: PlanLimits },
): Promise<PlannedRepository> {
  const items: Collected[] = [];
  if ((await lockIfThere(db, repository.id)) === undefined) return { items, isPartial: false };
  for await (const item of collectRepository({ db, locked: (take) => take(db) }, repository, now)) {
    items.push(item);
    if (items.length >= limits.itemsOfRepository) return { items, isPartial: true };
  }
  return { items, isPartial: false };
}

/** Runs work in a transaction that is rolled back. */
async function withRollback<T>(store: RegistryStore, work: (db: RegistryDb) => Promise<T>): Promise<T> {
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
