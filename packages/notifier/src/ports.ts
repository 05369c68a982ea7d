import type { Json, VulnerabilityJson } from "@plimsoll/core";

/** `update_operation` of the scanner API. */
export interface UpdateOperation {
  /** UUID. */
  readonly ref: string;
  readonly updater: string;
  /** ISO 8601. */
  readonly date: string;
}

/** What the notifier needs of a matcher: in this process, or another one behind its API. */
export interface UpdateSource {
  /** The operations by updater, newest first. */
  updateOperations(query: {
    readonly kind: "vulnerability";
  }): Promise<Readonly<Record<string, readonly UpdateOperation[]>>>;
  /**
   * What changed between two operations of one updater. A changed vulnerability is in both lists.
   * @param refs `prev` may be {@link beforeAllOperations}
   */
  updateDiff(refs: { readonly prev: string; readonly cur: string }): Promise<{
    readonly added: Vulnerabilities;
    readonly removed: Vulnerabilities;
  }>;
}

/** Vulnerabilities, read as they come. They are handed to {@link AffectedSource} as they are, with all their members. */
export type Vulnerabilities = AsyncIterable<VulnerabilityJson> | Iterable<VulnerabilityJson>;

/** What the notifier needs of an indexer: in this process, or another one behind its API. */
export interface AffectedSource {
  /** The indexed manifests that each of the vulnerabilities applies to: ids of vulnerabilities by manifest digest. */
  affectedManifests(
    vulnerabilities: Json,
    options: { readonly signal?: AbortSignal },
  ): Promise<{ readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>> }>;
}

/** Stands for the time before an updater's first operation. */
export const beforeAllOperations = "00000000-0000-0000-0000-000000000000";
