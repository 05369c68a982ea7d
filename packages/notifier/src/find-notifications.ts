import { compareSeverity, findSeverity } from "@plimsoll/core";
import type { Reason, VulnerabilitySummary } from "./notification.ts";

/** A vulnerability that was added or removed, and the manifests it applies to. */
export interface AffectedChange {
  readonly vulnerability: VulnerabilitySummary;
  /** Digests. */
  readonly manifests: readonly string[];
}

/** What one update operation changed. */
export interface Changes {
  readonly added: readonly AffectedChange[];
  readonly removed: readonly AffectedChange[];
}

/**
 * What is told: in `full` mode each vulnerability of each manifest, in `summary` mode for each manifest and reason the most
 * severe one.
 */
export type NotificationMode = "summary" | "full";

/** A notification before it has an id. */
export interface FoundNotification {
  readonly manifest: string;
  readonly reason: Reason;
  readonly vulnerability: VulnerabilitySummary;
}

/**
 * The notifications of one update operation: by manifest, added before removed, worst first. Pure.
 *
 * A statement that merely changed comes as removed and added. Where it applies to a manifest before and after, and its
 * summary is the same, nothing was added or removed for whoever reads it, and nothing is told; where the summary differs
 * (another severity, a fix), both are. No notification occurs twice.
 */
export function* findNotifications(changes: Changes, mode: NotificationMode): Generator<FoundNotification> {
  const summaries = new Map<string, VulnerabilitySummary>();
  const added = pairsOf(changes.added, summaries);
  const removed = pairsOf(changes.removed, summaries);
  const worstFirst = [...summaries.keys()].sort(bySeverity(summaries));
  const found = new Map<string, FoundNotification[]>();
  for (const text of worstFirst) {
    const vulnerability = summaries.get(text);
    if (vulnerability === undefined) continue;
    const [before = nowhere, after = nowhere] = [removed.get(text), added.get(text)];
    note(found, mode, { reason: "added", vulnerability, manifests: without(after, before) });
    note(found, mode, { reason: "removed", vulnerability, manifests: without(before, after) });
  }
  for (const manifest of [...found.keys()].sort()) {
    const notifications = found.get(manifest) ?? [];
    yield* notifications.filter(({ reason }) => reason === "added");
    yield* notifications.filter(({ reason }) => reason === "removed");
  }
}

const nowhere: ReadonlySet<string> = new Set();

function without(these: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...these].filter((one) => !others.has(one));
}

/** The manifests by the JSON of the summary. Also notes the summaries. */
function pairsOf(
  changes: readonly AffectedChange[],
  summaries: Map<string, VulnerabilitySummary>,
): ReadonlyMap<string, Set<string>> {
  const pairs = new Map<string, Set<string>>();
  for (const { vulnerability, manifests } of changes) {
    const text = JSON.stringify(vulnerability);
    summaries.set(text, vulnerability);
    const known = pairs.get(text) ?? new Set();
    for (const manifest of manifests) known.add(manifest);
    pairs.set(text, known);
  }
  return pairs;
}

/** Worst first; among equals by name, then in an order that depends on the content alone. */
function bySeverity(summaries: ReadonlyMap<string, VulnerabilitySummary>) {
  const severityOf = (text: string) => findSeverity(summaries.get(text)?.normalized_severity ?? "") ?? "Unknown";
  const nameOf = (text: string) => `${summaries.get(text)?.name} ${text}`;
  return (a: string, b: string): number =>
    compareSeverity(severityOf(b), severityOf(a)) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

interface Told {
  readonly reason: Reason;
  readonly vulnerability: VulnerabilitySummary;
  readonly manifests: readonly string[];
}

/** Called with the worst first, so that in summary mode the first one stays. */
function note(
  found: Map<string, FoundNotification[]>,
  mode: NotificationMode,
  { reason, vulnerability, manifests }: Told,
): void {
  for (const manifest of manifests) {
    const known = found.get(manifest) ?? [];
    if (mode === "summary" && known.some((notification) => notification.reason === reason)) continue;
    known.push({ manifest, reason, vulnerability });
    found.set(manifest, known);
  }
}
