import type { NvdMetric } from "./cve-record.ts";

/** How vectors begin, the version first whose scores most vulnerabilities have. */
const versions = ["CVSS:3.1/", "CVSS:3.0/", "CVSS:4.0/", "AV:"];

/**
 * The scores of one vulnerability, the one to show first: of versions 3 and 4 before version 2, which has no "Critical"; the database's
 * own before others; 3.1, 3.0, 4.0; the name of the source.
 */
export function bestFirst(metrics: readonly NvdMetric[]): readonly NvdMetric[] {
  return metrics.toSorted(
    (a, b) =>
      Number(isVersion2(a)) - Number(isVersion2(b)) ||
      Number(b.isPrimary) - Number(a.isPrimary) ||
      rankOf(a) - rankOf(b) ||
      (a.source < b.source ? -1 : 1),
  );
}

function isVersion2({ vector }: NvdMetric): boolean {
  return rankOf({ vector }) === versions.length - 1;
}

function rankOf({ vector }: Pick<NvdMetric, "vector">): number {
  return versions.findIndex((beginning) => vector.startsWith(beginning));
}
