import type { UpdateKind } from "./store/tables.ts";

/** Which update operations to list. */
export interface OperationQuery {
  /** Both kinds where absent. */
  readonly kind?: UpdateKind;
  /** Only the newest of each updater. */
  readonly latest?: boolean;
}
