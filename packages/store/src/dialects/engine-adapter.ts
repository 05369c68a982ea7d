import type { DialectAdapter } from "kysely";
import type { HasJobEvents } from "../jobs/job-events.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";

/** What an engine can do beyond the adapters of the query builder. */
export interface EngineAdapter extends DialectAdapter, HasJobEvents {
  /** Whether several statements should be sent as one. */
  readonly joinsStatements: boolean;
  /**
   * The rows of a query outside transactions, read at less cost than through the query builder: prepared, or without acquiring a
   * connection. Undefined if the engine cannot do so.
   */
  lookUp(asked: LookUp): Rows | Promise<Rows> | undefined;
}

/** The adapter of a database that a store has opened. */
export function engineOf(db: { getExecutor(): { readonly adapter: DialectAdapter } }): EngineAdapter {
  return db.getExecutor().adapter as EngineAdapter;
}
