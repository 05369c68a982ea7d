import type { BlobStore } from "../../ports/blob-store.ts";
import type { RegistryStore } from "../../store/tables/all.ts";

/** Something that was collected, or would be. */
export interface Collected {
  /**
   * The kinds of collected items. A link connects a repository with a blob. A tag that ends with its image can be restored as long
   * as the image can.
   */
  readonly kind: "tag" | "manifest" | "link" | "blob" | "upload" | "repository" | "namespace";
  readonly repositoryId?: string;
  /** A name, a digest or an id. */
  readonly what: string;
  readonly why: string;
  /** How many bytes its removal frees: only bytes that it stores itself count. */
  readonly sizeBytes: number;
}

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
