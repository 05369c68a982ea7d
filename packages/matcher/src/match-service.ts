import type { Digest, VulnerabilityJson, VulnerabilityReport } from "@plimsoll/core";
import type { UpdateKind } from "./store/tables.ts";

/** The matcher without its network face. */
export interface MatchService {
  /**
   * What is wrong with an indexed image, by the advisories of now. Its `feeds` say which were at hand.
   * @throws ScanError `not_found` for an image that is not indexed, or not successfully; what the indexer throws
   */
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReport>;
  /** The reports of many images, one after the other in the order asked. What fails does not end the others. */
  batch(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): AsyncIterable<BatchItem>;
  /** The update operations by updater, newest first. */
  updateOperations(query?: OperationQuery): Promise<Readonly<Record<string, readonly UpdateOperationJson[]>>>;
  /** The `ref` of the newest operation of all updaters: what the answer of {@link updateOperations} depends on. */
  findLatestRef(kind?: UpdateKind): Promise<string | undefined>;
  /**
   * What changed between two operations.
   * @throws ScanError `not_found` for an operation that is unknown or forgotten
   */
  updateDiff(refs: DiffRefs): Promise<VulnerabilityDiff>;
  /** Forgets an operation. Returns whether there was one of that ref. */
  deleteUpdateOperation(ref: string): Promise<boolean>;
}

/** One answer of a batch. */
export type BatchItem =
  | { readonly kind: "report"; readonly digest: Digest; readonly report: VulnerabilityReport }
  | { readonly kind: "failed"; readonly digest: Digest; readonly error: unknown };

/** Which update operations to list. */
export interface OperationQuery {
  /** Both kinds where absent. */
  readonly kind?: UpdateKind;
  /** Only the newest of each updater. */
  readonly latest?: boolean;
}

/** `update_operation` of the scanner API. */
export interface UpdateOperationJson {
  readonly ref: string;
  readonly updater: string;
  readonly fingerprint: string;
  /** ISO 8601. */
  readonly date: string;
  readonly kind: UpdateKind;
}

/** The operations that are compared. */
export interface DiffRefs {
  /** The UUID of zeros stands for the time before the first operation. */
  readonly prev: string;
  /** Absent: the newest operation of the updater of `prev`. */
  readonly cur?: string;
}

/** `update_diff` of the scanner API, its arrays read page by page. */
export interface VulnerabilityDiff {
  readonly prev?: UpdateOperationJson;
  readonly cur: UpdateOperationJson;
  readonly added: AsyncIterable<VulnerabilityJson>;
  readonly removed: AsyncIterable<VulnerabilityJson>;
}
