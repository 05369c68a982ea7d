import { bestFirst } from "../shared/best-first.ts";
import type { NvdMetric } from "./cve-record.ts";

/** The scores of a vulnerability, the one to show first: the database's own before others. */
export function bestMetrics(metrics: readonly NvdMetric[]): readonly NvdMetric[] {
  return bestFirst(metrics, ({ vector, isPrimary, source }) => ({ vector, rank: isPrimary ? 0 : 1, source }));
}
