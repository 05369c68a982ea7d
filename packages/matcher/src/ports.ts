import type { Digest, IndexReport } from "@plimsoll/core";

/** What the matcher needs of an indexer: in this process, or another one behind its API. */
export interface IndexReports {
  /** The report of an image, finished or not; undefined for an image that the indexer does not know. */
  find(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<IndexReport | undefined>;
}
