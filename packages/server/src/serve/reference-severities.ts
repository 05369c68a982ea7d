import { raisedDebianSeverity } from "@plimsoll/core";

// Only bodies for the clients of an installation. An update diff is read by notifiers, of ours too, whose notifications are raised here.

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

function raiseIfDebian(vulnerability: Rated): Rated {
  const { updater, normalized_severity, distribution } = vulnerability;
  const isDebian = updater === undefined ? distribution?.did === "debian" : updater === "debian";
  return isDebian
    ? { ...vulnerability, normalized_severity: raisedDebianSeverity(normalized_severity) }
    : vulnerability;
}
