import type { DialectAdapter } from "kysely";
import type { TellsJobEvents } from "../jobs/job-events.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";

/** What an engine can do besides what the query builder asks of it. */
export interface EngineAdapter extends DialectAdapter, TellsJobEvents {
  /** Whether several statements can be sent to it as one. */
  readonly joinsStatements: boolean;
  /**
   * The rows of a look-up outside transactions, in a way that costs less than the query builder's: without a connection provided
   * for it, or prepared. Undefined where there is no such way.
   */
  lookUp(asked: LookUp): Rows | Promise<Rows> | undefined;
}

/** The adapter of a database that a store has opened. */
export function engineOf(db: { getExecutor(): { readonly adapter: DialectAdapter } }): EngineAdapter {
  return db.getExecutor().adapter as EngineAdapter;
}
