import type { StoredCounts } from "./queries/finding-counts.ts";

/** The counts of the worst image, marked as partial if other images are not counted; undefined if none is counted. */
export function worstOf(images: readonly StoredCounts[]): StoredCounts | undefined {
  const counted = images.filter(({ counted_at }) => counted_at !== null);
  const [worst] = counted.toSorted(byCounts);
  if (worst === undefined || counted.length === images.length) return worst;
  return { ...worst, is_partial: 1 };
}

const ranks = ["critical", "high", "medium", "low", "negligible", "unknown", "exploited", "fixable"] as const;

/**
 * Compares images: negative if the first is worse, by severities, and of equal ones by what is exploited and can be fixed, so that no order of
 * rows decides which is shown. Images that are not counted come last.
 */
export function byCounts(one: StoredCounts, other: StoredCounts): number {
  for (const rank of ranks) {
    const by = (other[rank] ?? -1) - (one[rank] ?? -1);
    if (by !== 0) return by;
  }
  return 0;
}
