import type { RuledVulnerabilityJson } from "@plimsoll/core";
import type { UpdateOperationJson } from "./operations-by-updater.ts";

/** The operations that are compared. */
export interface DiffRefs {
  /** The UUID of zeros stands for the time before the first operation. */
  readonly prev: string;
  /** Absent: the newest operation of the updater of `prev`. */
  readonly cur?: string;
  /**
   * `changed` where absent. `related`: of the packages that images have, what changed together with whatever else decides
   * about it, each side as a whole and in groups (see `rule.group`); statements that packages are not affected are in it.
   */
  readonly scope?: "changed" | "related";
}

/**
 * `update_diff` of the scanner API, its arrays read page by page. Only what says that packages are affected, unless related
 * statements were asked for; a changed advisory is in both under the same id, as it was and as it is.
 */
export interface VulnerabilityDiff {
  readonly prev?: UpdateOperationJson;
  readonly cur: UpdateOperationJson;
  readonly added: AsyncIterable<RuledVulnerabilityJson>;
  readonly removed: AsyncIterable<RuledVulnerabilityJson>;
}
