import type { RuledVulnerabilityJson } from "@plimsoll/core/internal";
import type { UpdateOperationJson } from "./operations-by-updater.ts";

/** The operations to compare. */
export interface DiffRefs {
  /** The UUID of zeros stands for the time before the first operation. */
  readonly prev: string;
  /** Absent: the newest operation of the updater of `prev`. */
  readonly cur?: string;
  /**
   * Default: `changed`. `related`: for packages of images, the changed advisories together with all others that affect the same verdicts,
   * each side complete and in groups (see `rule.group`), including statements that packages are not affected.
   */
  readonly scope?: "changed" | "related";
}

/**
 * `update_diff` of the scanner API, with arrays that are read in pages. Unless the scope is `related`, it has only statements that packages
 * are affected. A changed advisory is in both arrays under the same id, in its old and its new form.
 */
export interface VulnerabilityDiff {
  readonly prev?: UpdateOperationJson;
  readonly cur: UpdateOperationJson;
  readonly added: AsyncIterable<RuledVulnerabilityJson>;
  readonly removed: AsyncIterable<RuledVulnerabilityJson>;
}
