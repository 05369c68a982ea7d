import { type Static, Type } from "typebox";
import { formatDate } from "../../values/dates.ts";
import type { CountedColumn, StoredCounts } from "../queries/finding-counts.ts";

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

const severityCounts = {
  critical: count(),
  high: count(),
  medium: count(),
  low: count(),
  negligible: count(),
  unknown: count(),
  fixable: count("Those with a fix"),
  known_exploited: count("Those that are known to be exploited"),
};

/** How many vulnerabilities something has. */
export const SeverityCounts = Type.Object(severityCounts);
export type SeverityCounts = Static<typeof SeverityCounts>;

/** How many vulnerabilities an image has, and how far that can be relied on. */
export const ImageSeverities = Type.Object({
  ...severityCounts,
  partial: Type.Boolean({ description: "Whether the scan could not judge all of it, so that there may be more" }),
  feeds: Type.Enum(["current", "outdated", "missing", "unknown"], {
    description: "Whether the feeds that it was matched with were up to date",
  }),
  counted: Type.String({ description: "When it was last asked what the image has" }),
});
export type ImageSeverities = Static<typeof ImageSeverities>;

/** Shows the counts of an image; null where they are not known. */
export function imageSeverities(counts: StoredCounts | undefined): ImageSeverities | null {
  if (counts === undefined || counts.counted_at === null) return null;
  return {
    ...severityCountsView(counts),
    partial: counts.is_partial !== 0,
    feeds: counts.data_state ?? "unknown",
    counted: formatDate(counts.counted_at),
  };
}

/** The counts of the worst of some images, partial where others are not counted; undefined where none is. */
export function worstOf(images: readonly StoredCounts[]): StoredCounts | undefined {
  const counted = images.filter(({ counted_at }) => counted_at !== null);
  const [worst] = counted.toSorted(
    (one, other) => ranks.map((rank) => (other[rank] ?? 0) - (one[rank] ?? 0)).find((by) => by !== 0) ?? 0,
  );
  if (worst === undefined || counted.length === images.length) return worst;
  return { ...worst, is_partial: 1 };
}

const ranks = ["critical", "high", "medium", "low", "negligible", "unknown"] as const;

/** Shows counts; what is not known counts as nothing. */
export function severityCountsView(counts: Pick<StoredCounts, Exclude<CountedColumn, "is_partial">>): SeverityCounts {
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
