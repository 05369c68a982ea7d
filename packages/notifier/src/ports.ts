import type { Json, VulnerabilityJson } from "@plimsoll/core/report";
import type { UpdateOperation } from "./values/update-operation.ts";

/** The part of a matcher that the notifier uses, in this process or over its API. */
export interface UpdateSource {
  /** The operations by updater, newest first. */
  updateOperations(query: {
    readonly kind: "vulnerability";
  }): Promise<Readonly<Record<string, readonly UpdateOperation[]>>>;
  /**
   * The difference between two operations of one updater. It includes related vulnerabilities that are judged together with changed ones, each
   * complete on both sides. A changed vulnerability is in both lists. Read `added` before `removed`, and each only once.
   */
  updateDiff(refs: DiffRefs): Promise<{
    readonly added: Vulnerabilities;
    readonly removed: Vulnerabilities;
  }>;
}

/** The operations to compare. */
export interface DiffRefs {
  /** The earlier operation, or {@link beforeAllOperations}. */
  readonly prev: string;
  readonly cur: string;
  readonly scope: "related";
}

/** A stream of vulnerabilities. They are passed to {@link AffectedSource} unchanged, with all their members. */
export type Vulnerabilities = AsyncIterable<VulnerabilityJson> | Iterable<VulnerabilityJson>;

/** The part of an indexer that the notifier uses, in this process or over its API. */
export interface AffectedSource {
  /** The indexed manifests that the vulnerabilities apply to, in blocks. A pair may occur several times. */
  listAffected(
    vulnerabilities: Json,
    options: { readonly signal?: AbortSignal },
  ): AsyncIterable<{
    /** Ids of vulnerabilities each of which applies to each of the manifests. */
    readonly ids: readonly string[];
    /** Digests. */
    readonly manifests: readonly string[];
  }>;
}

/** The reference for the time before an updater's first operation. */
export const beforeAllOperations = "00000000-0000-0000-0000-000000000000";
