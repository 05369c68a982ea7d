import { SqliteAdapter } from "kysely";
import type { SqlValue } from "../store.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import { readRows } from "./statements.ts";

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
   * The rows of a `select` outside transactions, without the connection that Kysely would provide for it: that costs more than
   * most look-ups do. Undefined where reads have no connection of their own.
   */
  read(text: string, parameters: readonly SqlValue[]): readonly Readonly<Record<string, SqlValue>>[] | undefined {
    const file = this.#file;
    if (!file.hasReader) return undefined;
    return file.guard(() => readRows(file.prepare("reader", text), parameters));
  }
}
