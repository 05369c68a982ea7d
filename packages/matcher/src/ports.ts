import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { MatchKey } from "@plimsoll/core/internal";

/** The part of an indexer that the matcher uses, in this process or in another one. */
export interface IndexReports {
  /** The report of an image, finished or not; undefined if the indexer does not know the image. */
  find(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<IndexReport | undefined>;
  /**
   * All keys of the indexed packages that are found under the given keys: advisories under any of them may affect verdicts on these
   * packages. Keys that no image has are left out.
   */
  relatedKeys(keys: readonly MatchKey[]): Promise<readonly MatchKey[]>;
}
