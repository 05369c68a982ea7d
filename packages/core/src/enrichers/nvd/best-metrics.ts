import { bestFirst } from "../shared/best-first.ts";
import type { NvdMetric } from "./cve-record.ts";

/** Sorts the scores of a vulnerability, best first; see {@link bestFirst}. Of the sources, the database itself ranks first. */
export function bestMetrics(metrics: readonly NvdMetric[]): readonly NvdMetric[] {
  return bestFirst(metrics, ({ vector, isPrimary, source }) => ({ vector, rank: isPrimary ? 0 : 1, source }));
}
