import type { UpdateKind } from "./store/tables.ts";

/** Selects update operations. */
export interface OperationQuery {
  /** Default: both kinds. */
  readonly kind?: UpdateKind;
  /** Only the newest of each updater. */
  readonly latest?: boolean;
}
