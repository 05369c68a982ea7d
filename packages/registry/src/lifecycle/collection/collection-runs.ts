import { areBlobsHeld } from "../../content/held-blobs.ts";
import { listLivingRepositories } from "../../content/queries/tags.ts";
import type { Clock } from "../../ports.ts";
import { readPages } from "../../store/bounded-reads.ts";
import { findFact, putFact } from "../../store/registry-facts.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import type { Collected } from "./collection.ts";
import type { StoredBlobs } from "./queries/garbage.ts";
import { countKept, countUploading, type Kept } from "./queries/manifests.ts";

/** The number of items of a kind, and the bytes that they free. */
export interface CollectedCount {
  readonly items: number;
  readonly bytes: number;
}

/** The progress or the result of a collection or of a plan. Instants are epoch milliseconds. */
export interface CollectionRun {
  readonly startedAt: number;
  /** Absent while it runs, and if it was stopped. */
  readonly endedAt?: number;
  readonly repositories: number;
  readonly counts: Partial<Record<Collected["kind"], CollectedCount>>;
  /** Whether a limit was reached, so that there is more. */
  readonly isPartial?: boolean;
  readonly kept?: KeptContent;
}

/** The content that stays, by reason. */
export interface KeptContent extends Kept {
  /** Uploads under way. */
  readonly uploads: number;
  readonly uploadBytes: number;
  /** Blobs that repositories have. */
  readonly stored: StoredBlobs;
  /** Whether the registry is being copied, so that no blob is removed. */
  readonly isHeld: boolean;
}

/** The names of the stored runs: the last one, the last one that removed something, the last plan. */
export type RunName = "last-collection" | "last-freeing-collection" | "last-collection-plan";

/** The run that is stored under a name. */
export async function findRun(db: RegistryDb, name: RunName): Promise<CollectionRun | undefined> {
  const fact = await findFact(db, name);
  return fact === undefined ? undefined : (JSON.parse(fact) as CollectionRun);
}

/** How often the progress of a run is stored. */
const storeEveryMs = 1000;

/** Counts the items of a run, and stores its progress: at its beginning, each second, and at its end. */
export class RunRecord {
  readonly progress = { repositories: 0 };
  readonly stored = { blobs: 0, bytes: 0 };
  readonly #place: { readonly store: RegistryStore; readonly clock: Clock; readonly name: RunName };
  readonly #counts: Partial<Record<Collected["kind"], CollectedCount>> = {};
  readonly #startedAt: number;
  #storedAt = Number.NEGATIVE_INFINITY;
  #isPartial = false;

  constructor(place: { readonly store: RegistryStore; readonly clock: Clock; readonly name: RunName }) {
    this.#place = place;
    this.#startedAt = place.clock.now();
  }

  /** Records that there is more than is counted. */
  readonly markPartial = (): void => {
    this.#isPartial = true;
  };

  async count(items: AsyncIterable<Collected>, onCollected?: (item: Collected) => void): Promise<void> {
    await this.#put({});
    for await (const item of items) {
      const { items: before, bytes } = this.#counts[item.kind] ?? { items: 0, bytes: 0 };
      this.#counts[item.kind] = { items: before + 1, bytes: bytes + item.sizeBytes };
      onCollected?.(item);
      if (this.#place.clock.now() - this.#storedAt >= storeEveryMs) await this.#put({});
    }
  }

  /** Stores the finished run. @param more members that are only known at the end */
  async end(more: Pick<CollectionRun, "kept"> = {}): Promise<CollectionRun> {
    return this.#put({ endedAt: this.#place.clock.now(), ...more });
  }

  async #put(more: Partial<CollectionRun>): Promise<CollectionRun> {
    const { store, clock, name } = this.#place;
    this.#storedAt = clock.now();
    const run = {
      ...{ startedAt: this.#startedAt, repositories: this.progress.repositories, counts: { ...this.#counts } },
      isPartial: this.#isPartial ? true : undefined,
      ...more,
    };
    await putFact(store.db, name, JSON.stringify(run));
    return run;
  }
}

/** Whether a run removed anything. */
export function hasFreed({ counts }: CollectionRun): boolean {
  return Object.values(counts).some(({ items }) => items > 0);
}

/** Counts the content that stays although no current reference exists, and the stored blobs. */
export async function countKeptContent(
  db: RegistryDb,
  { now, stored, signal }: { readonly now: number; readonly stored: StoredBlobs; readonly signal: AbortSignal },
): Promise<KeptContent> {
  const sums = { tags: 0, manifests: 0, links: 0 };
  const pages = readPages<{ readonly id: string }>((last) => listLivingRepositories(db, last?.id ?? ""));
  for await (const page of pages) {
    signal.throwIfAborted();
    const ids = page.map(({ id }) => id);
    const { tags, manifests, links } = await countKept(db, ids, now);
    sums.tags += tags;
    sums.manifests += manifests;
    sums.links += links;
  }
  const { uploads, bytes: uploadBytes } = await countUploading(db, now);
  return { ...sums, uploads, uploadBytes, stored, isHeld: await areBlobsHeld(db, now) };
}
