import type { RuledVulnerabilityJson } from "@plimsoll/core/internal";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { latestOperations, listOperations, type UpdateOperation } from "./store/update-operations.ts";

/** The operations to compare. */
export interface DiffRefs {
  /** The UUID of zeros stands for the time before the first operation. */
  readonly prev: string;
  /** Absent: the newest operation of the updater of `prev`. */
  readonly cur?: string;
  /**
   * Default: `changed`. `related`: for packages of images, the changed advisories together with all others that affect the same verdicts,
   * each side complete and in groups (see `rule.group`), including statements that packages are not affected.
   */
  readonly scope?: "changed" | "related";
}

/**
 * `update_diff` of the scanner API, with arrays that are read in pages. Unless the scope is `related`, it has only statements that packages
 * are affected. A changed advisory is in both arrays under the same id, in its old and its new form.
 */
export interface VulnerabilityDiff {
  readonly prev?: UpdateOperationJson;
  readonly cur: UpdateOperationJson;
  readonly added: AsyncIterable<RuledVulnerabilityJson>;
  readonly removed: AsyncIterable<RuledVulnerabilityJson>;
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

/** Selects update operations. */
export interface OperationQuery {
  /** Default: both kinds. */
  readonly kind?: UpdateKind;
  /** Only the newest of each updater. */
  readonly latest?: boolean;
}

/** `update_operations` of the scanner API: by updater, newest first. */
export async function listOperationsByUpdater(
  store: MatcherStore,
  { kind, latest = false }: OperationQuery = {},
): Promise<Readonly<Record<string, readonly UpdateOperationJson[]>>> {
  const operations = await (latest ? latestOperations(store, { kind }) : listOperations(store, { kind }));
  return Object.fromEntries(Map.groupBy(operations.map(toOperationJson), ({ updater }) => updater));
}

/** Converts an operation to its wire form. */
export function toOperationJson({ ref, updater, fingerprint, date, kind }: UpdateOperation): UpdateOperationJson {
  return { ref, updater, fingerprint, date: new Date(date).toISOString(), kind };
}
