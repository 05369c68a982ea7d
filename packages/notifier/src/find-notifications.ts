import { compareSeverity, findSeverity } from "@plimsoll/core/severity";
import type { FoundNotification, ManifestChanges, Reason, VulnerabilitySummary } from "./values/notification.ts";

/**
 * Which vulnerabilities are sent: `full` each one of each manifest, `summary` the most severe one for each manifest and reason.
 */
export type NotificationMode = "summary" | "full";

/** Returns the notifications of a manifest: added before removed, the most severe first. */
export type FindNotifications = (changes: ManifestChanges) => readonly FoundNotification[];

/**
 * Creates the function that finds notifications, from a list of distinct summaries. Pure.
 *
 * A changed advisory occurs as removed and as added. If it applies to a manifest before and after, with the same summary, nothing has
 * changed for the reader, and there is no notification. If the summary differs (another severity, a fix), there are both. No notification
 * occurs twice.
 */
export function notificationFinder(
  summaries: readonly VulnerabilitySummary[],
  mode: NotificationMode,
): FindNotifications {
  const ranks = ranksOf(summaries);
  const worstFirst = (a: number, b: number) => (ranks[a] ?? 0) - (ranks[b] ?? 0);
  return ({ manifest, added, removed }) =>
    [...sortedEntries("added", without(added, removed)), ...sortedEntries("removed", without(removed, added))].map(
      ([reason, vulnerability]) => ({ manifest, reason, vulnerability }),
    );

  function sortedEntries(
    reason: Reason,
    places: readonly number[],
  ): readonly (readonly [Reason, VulnerabilitySummary])[] {
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

/** The rank of each summary: by severity, then by name, then in an order that depends only on the content. */
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
