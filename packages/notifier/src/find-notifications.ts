import { compareSeverity, findSeverity } from "@plimsoll/core";
import type { FoundNotification, ManifestChanges, Reason, VulnerabilitySummary } from "./values/notification.ts";

/**
 * What is told: in `full` mode each vulnerability of each manifest, in `summary` mode for each manifest and reason the most
 * severe one.
 */
export type NotificationMode = "summary" | "full";

/** Gives the notifications of a manifest: added before removed, worst first. */
export type FindNotifications = (changes: ManifestChanges) => readonly FoundNotification[];

/**
 * Finds notifications by a list of summaries, no two of which are equal. Pure.
 *
 * A statement that merely changed comes as removed and added. Where it applies to a manifest before and after, and its
 * summary is the same, nothing was added or removed for the reader, and there is no notification; where the summary differs
 * (another severity, a fix), both are. No notification occurs twice.
 */
export function notificationFinder(
  summaries: readonly VulnerabilitySummary[],
  mode: NotificationMode,
): FindNotifications {
  const ranks = ranksOf(summaries);
  const worstFirst = (a: number, b: number) => (ranks[a] ?? 0) - (ranks[b] ?? 0);
  return ({ manifest, added, removed }) =>
    [...told("added", without(added, removed)), ...told("removed", without(removed, added))].map(
      ([reason, vulnerability]) => ({ manifest, reason, vulnerability }),
    );

  function told(reason: Reason, places: readonly number[]): readonly (readonly [Reason, VulnerabilitySummary])[] {
    const sorted = places.toSorted(worstFirst).slice(0, mode === "summary" ? 1 : places.length);
    return sorted.flatMap((place) => {
      const summary = summaries[place];
      return summary === undefined ? [] : [[reason, summary] as const];
    });
  }
}

function without(these: readonly number[], others: readonly number[]): readonly number[] {
  if (others.length === 0) return these;
  const left = new Set(others);
  return these.filter((one) => !left.has(one));
}

/** The rank of each summary. Worst first; among equals by name, then in an order that depends on the content alone. */
function ranksOf(summaries: readonly VulnerabilitySummary[]): readonly number[] {
  const entries = summaries.map((summary, place) => ({
    place,
    severity: findSeverity(summary.normalized_severity) ?? "Unknown",
    text: `${summary.name} ${JSON.stringify(summary)}`,
  }));
  entries.sort((a, b) => compareSeverity(b.severity, a.severity) || (a.text < b.text ? -1 : 1));
  const ranks: number[] = [];
  for (const [rank, { place }] of entries.entries()) ranks[place] = rank;
  return ranks;
}
