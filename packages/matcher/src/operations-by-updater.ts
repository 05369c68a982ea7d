import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { latestOperations, listOperations, type UpdateOperation } from "./store/update-operations.ts";

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
  const wanted = kind === undefined ? {} : { kind };
  const operations = await (latest ? latestOperations(store, wanted) : listOperations(store, wanted));
  return Object.fromEntries(Map.groupBy(operations.map(toOperationJson), ({ updater }) => updater));
}

/** Converts an operation to its wire form. */
export function toOperationJson({ ref, updater, fingerprint, date, kind }: UpdateOperation): UpdateOperationJson {
  return { ref, updater, fingerprint, date: new Date(date).toISOString(), kind };
}
