import { SqliteAdapter } from "kysely";
import type { JobEvents } from "../jobs/job-events.ts";
import type { EngineAdapter } from "./engine-adapter.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";
import type { SqliteFile } from "./sqlite-file.ts";

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
