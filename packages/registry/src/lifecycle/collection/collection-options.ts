import type { BlobStore } from "../../ports/blob-store.ts";
import type { RegistryStore } from "../../store/tables/all.ts";

/** Options of a garbage collection. */
export interface CollectionOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly now: number;
  /** Epoch milliseconds: repositories without new garbage since then are left out. With 0, all repositories are checked. */
  readonly since: number;
  /** Counts the blobs that stay. */
  readonly stored?: { blobs: number; bytes: number };
  /** Counts the checked repositories. */
  readonly progress?: { repositories: number };
  readonly signal?: AbortSignal;
}
