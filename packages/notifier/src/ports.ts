import type { Json, VulnerabilityJson } from "@plimsoll/core";
import type { UpdateOperation } from "./values/update-operation.ts";

/** What the notifier needs of a matcher: in this process, or another one behind its API. */
export interface UpdateSource {
  /** The operations by updater, newest first. */
  updateOperations(query: {
    readonly kind: "vulnerability";
  }): Promise<Readonly<Record<string, readonly UpdateOperation[]>>>;
  /**
   * What changed between two operations of one updater, together with whatever else decides about it, each side as a whole.
   * A changed vulnerability is in both lists. `added` is read before `removed`, each once.
   */
  updateDiff(refs: DiffRefs): Promise<{
    readonly added: Vulnerabilities;
    readonly removed: Vulnerabilities;
  }>;
}

/** The operations that are compared. */
export interface DiffRefs {
  /** It may be {@link beforeAllOperations}. */
  readonly prev: string;
  readonly cur: string;
  readonly scope: "related";
}

/** Vulnerabilities, read as they come. They are handed to {@link AffectedSource} as they are, with all their members. */
export type Vulnerabilities = AsyncIterable<VulnerabilityJson> | Iterable<VulnerabilityJson>;

/** What the notifier needs of an indexer: in this process, or another one behind its API. */
export interface AffectedSource {
  /** The indexed manifests that the vulnerabilities apply to, block by block. A pair may come several times. */
  listAffected(
    vulnerabilities: Json,
    options: { readonly signal?: AbortSignal },
  ): AsyncIterable<{
    /** Of vulnerabilities, every one of which applies to every one of the manifests. */
    readonly ids: readonly string[];
    /** Digests. */
    readonly manifests: readonly string[];
  }>;
}

/** Stands for the time before an updater's first operation. */
export const beforeAllOperations = "00000000-0000-0000-0000-000000000000";
