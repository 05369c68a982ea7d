import type { StoredCounts } from "@plimsoll/registry/content/queries/finding-counts";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";

const count = (description?: string) => Type.Integer({ minimum: 0, description: description || undefined });

const severityCounts = {
  critical: count(),
  high: count(),
  medium: count(),
  low: count(),
  negligible: count(),
  unknown: count(),
  fixable: count("Vulnerabilities with a fix"),
  known_exploited: count("Vulnerabilities that are known to be exploited"),
};

/** The counts of vulnerabilities by severity. */
export const SeverityCounts = Type.Object(severityCounts);
export type SeverityCounts = Static<typeof SeverityCounts>;

/** The counts of an image's vulnerabilities, and how reliable they are. */
export const ImageSeverities = Type.Object({
  ...severityCounts,
  partial: Type.Boolean({ description: "Whether the scan was incomplete, so that there may be more" }),
  feeds: Type.Enum(["current", "outdated", "missing", "unknown"], {
    description: "Whether the feeds that it was matched with were up to date",
  }),
  counted: Type.String({ description: "When the vulnerabilities were last counted" }),
});
export type ImageSeverities = Static<typeof ImageSeverities>;

/** Shows the counts of an image; null if they are unknown. */
export function imageSeverities(counts: StoredCounts | undefined): ImageSeverities | null {
  if (counts === undefined || counts.counted_at === null) return null;
  return {
    ...severityCountsView(counts),
    partial: counts.is_partial !== 0,
    feeds: counts.data_state ?? "unknown",
    counted: formatDate(counts.counted_at),
  };
}

/** The counts of the worst image, marked as partial if other images are not counted; undefined if none is counted. */
export function worstOf(images: readonly StoredCounts[]): StoredCounts | undefined {
  const counted = images.filter(({ counted_at }) => counted_at !== null);
  const [worst] = counted.toSorted(byCounts);
  if (worst === undefined || counted.length === images.length) return worst;
  return { ...worst, is_partial: 1 };
}

const ranks = ["critical", "high", "medium", "low", "negligible", "unknown"] as const;

/** Compares images: negative if the first is worse. Images that are not counted come last. */
export function byCounts(one: StoredCounts, other: StoredCounts): number {
  for (const rank of ranks) {
    const by = (other[rank] ?? -1) - (one[rank] ?? -1);
    if (by !== 0) return by;
  }
  return 0;
}

/** Counts that are all 0. */
export const noSeverities: SeverityCounts = {
  ...{ critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0 },
  ...{ fixable: 0, known_exploited: 0 },
};

/** Shows counts; unknown ones as 0. */
export function severityCountsView(counts: StoredCounts): SeverityCounts {
  return {
    critical: counts.critical ?? 0,
    high: counts.high ?? 0,
    medium: counts.medium ?? 0,
    low: counts.low ?? 0,
    negligible: counts.negligible ?? 0,
    unknown: counts.unknown ?? 0,
    fixable: counts.fixable ?? 0,
    known_exploited: counts.exploited ?? 0,
  };
}
