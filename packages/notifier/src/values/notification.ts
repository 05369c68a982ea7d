import type { VulnerabilityJson } from "@plimsoll/core/report";

/** Whether a vulnerability applies to a manifest now, or does not apply any more. */
export const reasons = ["added", "removed"] as const;

/** One of {@link reasons}. */
export type Reason = (typeof reasons)[number];

/** The vulnerability summary of the scanner API: the members of a vulnerability in notifications. */
export type VulnerabilitySummary = Pick<
  VulnerabilityJson,
  | "name"
  | "description"
  | "links"
  | "normalized_severity"
  | "fixed_in_version"
  | "package"
  | "distribution"
  | "repository"
>;

/** `notification` of the scanner API: one manifest and one vulnerability. */
export interface Notification {
  /** UUID. */
  readonly id: string;
  /** Digest. */
  readonly manifest: string;
  readonly reason: Reason;
  readonly vulnerability: VulnerabilitySummary;
}

/** `notification_page` of the scanner API. */
export interface NotificationPage {
  readonly page: {
    /** The number of notifications in the page. */
    readonly size: number;
    /** Absent on the last page. */
    readonly next?: string;
  };
  readonly notifications: readonly Notification[];
}

/** The changes of one update operation for a manifest: indexes of vulnerabilities in a list, each at most once. */
export interface ManifestChanges {
  /** Digest. */
  readonly manifest: string;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** A notification before it has an id. */
export interface FoundNotification {
  readonly manifest: string;
  readonly reason: Reason;
  readonly vulnerability: VulnerabilitySummary;
}

/** The summary of a vulnerability. Its members always have the same order, so that equal summaries have equal JSON. */
export function summarize(vulnerability: VulnerabilityJson): VulnerabilitySummary {
  const { description, links, fixed_in_version, distribution, repository } = vulnerability;
  return {
    name: vulnerability.name,
    description,
    links,
    normalized_severity: vulnerability.normalized_severity,
    fixed_in_version,
    package: vulnerability.package,
    distribution,
    repository,
  };
}
