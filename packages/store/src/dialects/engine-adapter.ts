import type { DialectAdapter } from "kysely";
import type { TellsJobEvents } from "../jobs/job-events.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";

/** What an engine can do besides what the query builder asks of it. */
export interface EngineAdapter extends DialectAdapter, TellsJobEvents {
  /** Whether several statements can be sent to it as one. */
  readonly joinsStatements: boolean;
  /**
   * The rows of a look-up outside transactions, without the connection that the query builder would provide for it, where that
   * costs more than the look-up. Undefined where there is no such way.
   */
  lookUp(asked: LookUp): Rows | undefined;
}

/** The adapter of a database that a store has opened. */
export function engineOf(db: { getExecutor(): { readonly adapter: DialectAdapter } }): EngineAdapter {
  return db.getExecutor().adapter as EngineAdapter;
}
