import { SqliteAdapter } from "kysely";
import type { EngineAdapter } from "./engine-adapter.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** What the query builder is told of an SQLite file. */
export class SqliteFileAdapter extends SqliteAdapter implements EngineAdapter {
  readonly joinsStatements = false;
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

  lookUp(asked: LookUp): Rows | undefined {
    return this.#file.lookUp(asked);
  }
}
