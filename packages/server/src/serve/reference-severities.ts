import { raisedDebianSeverity } from "@plimsoll/core/internal";
import { severities } from "@plimsoll/core/severity";
import { mapEach } from "./reference-bodies.ts";

/** A vulnerability in our response bodies. Those of notifications have no updater. */
interface Rated {
  readonly updater?: string;
  readonly normalized_severity: string;
  readonly distribution?: { readonly did?: string } | null;
}

/** Raises the severities of the vulnerabilities of Debian in a report. */
export function raiseInReport(report: object): object {
  const { vulnerabilities } = report as { readonly vulnerabilities: Readonly<Record<string, Rated>> };
  const raised = Object.entries(vulnerabilities).map(([id, each]) => [id, raiseIfDebian(each)] as const);
  return { ...report, vulnerabilities: Object.fromEntries(raised) };
}

/** Raises the severities of the vulnerabilities of Debian in a page of notifications. */
export function raiseInNotifications(page: object): object {
  const { notifications } = page as { readonly notifications: readonly { readonly vulnerability: Rated }[] };
  return {
    ...page,
    notifications: notifications.map((each) => ({ ...each, vulnerability: raiseIfDebian(each.vulnerability) })),
  };
}

/** Raises the severities of the vulnerabilities of Debian in an update diff, whose lists are streamed. */
export function raiseInDifference(diff: object): object {
  const { added, removed } = diff as Readonly<Record<"added" | "removed", AsyncIterable<Rated>>>;
  return { ...diff, added: mapEach(added, raiseIfDebian), removed: mapEach(removed, raiseIfDebian) };
}

/**
 * Lowers the severity of a vulnerability of Debian in an update diff of a matcher of the reference profile. It is then what the tracker says,
 * as everywhere but in responses: pages of notifications raise it again, for each vulnerability of the distribution.
 */
export function lowerIfDebian(vulnerability: Rated): Rated {
  const { normalized_severity: severity, distribution } = vulnerability;
  if (distribution?.did !== "debian") return vulnerability;
  return { ...vulnerability, normalized_severity: lowered.get(severity) ?? severity };
}

/** The severities that are raised, by what they become. The tracker has no urgency that is "Critical". */
const lowered = new Map(
  severities.filter((each) => each !== "Critical").map((each) => [raisedDebianSeverity(each), each] as const),
);

function raiseIfDebian(vulnerability: Rated): Rated {
  const { updater, normalized_severity, distribution } = vulnerability;
  const isDebian = updater === undefined ? distribution?.did === "debian" : updater === "debian";
  return isDebian
    ? { ...vulnerability, normalized_severity: raisedDebianSeverity(normalized_severity) }
    : vulnerability;
}
