import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryStore } from "../store/tables/all.ts";

/** Options of a garbage collection. */
export interface CollectionOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly now: number;
  /** Repositories in which nothing can have become garbage since are left out. 0 looks at all of them. */
  readonly since: number;
  /** Counts the blobs that stay. */
  readonly stored?: { blobs: number; bytes: number };
  /** Counts the repositories that were looked at. */
  readonly progress?: { repositories: number };
  readonly signal?: AbortSignal;
}
