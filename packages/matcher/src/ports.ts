import type { Digest, IndexReport, MatchKey } from "@plimsoll/core";

/** What the matcher needs of an indexer: in this process, or another one behind its API. */
export interface IndexReports {
  /** The report of an image, finished or not; undefined for an image that the indexer does not know. */
  find(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<IndexReport | undefined>;
  /**
   * Of the packages under some keys all keys, as far as any image has them: what may have a say in verdicts on them. Keys
   * that no image has are left out.
   */
  relatedKeys(keys: readonly MatchKey[]): Promise<readonly MatchKey[]>;
}
