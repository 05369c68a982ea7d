import { SqliteAdapter } from "kysely";
import type { LookUp, Rows } from "./remembered-rows.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** What Kysely is told of an SQLite file; and a way around it. */
export class SqliteFileAdapter extends SqliteAdapter {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super();
    this.#file = file;
  }

  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /**
   * The rows of a look-up outside transactions, without the connection that Kysely would provide for it: that costs more than
   * most look-ups do. Undefined where reads have no connection of their own.
   */
  lookUp(asked: LookUp): Rows | undefined {
    return this.#file.lookUp(asked);
  }
}
