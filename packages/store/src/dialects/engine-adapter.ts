import { type DialectAdapter, SqliteAdapter } from "kysely";
import type { HasJobEvents, JobEvents } from "../jobs/job-events.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";
import type { SqliteFile } from "./sqlite-file.ts";

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

/** The adapter of the query builder for an SQLite file. */
export class SqliteFileAdapter extends SqliteAdapter implements EngineAdapter {
  readonly joinsStatements = false;
  readonly #file: SqliteFile;
  readonly jobEvents: JobEvents;

  constructor(file: SqliteFile, jobEvents: JobEvents) {
    super();
    this.#file = file;
    this.jobEvents = jobEvents;
  }

  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  lookUp(asked: LookUp): Rows | undefined {
    return this.#file.lookUp(asked);
  }
}
