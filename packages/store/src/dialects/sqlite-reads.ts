import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqlParameter, SqlRow, SqlValue } from "../store.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { type LookUp, RememberedRows, type Rows } from "./remembered-rows.ts";
import { readRows, Statements } from "./statements.ts";

/** Options of {@link SqliteReads}. */
export interface SqliteReadsOptions {
  /** Opens the connection that reads; called at the first read, and at the first one after {@link SqliteReads.reopen}. */
  readonly open: () => DatabaseSync;
  /** Called for each statement. */
  readonly onStatement: (text: string) => void;
}

/**
 * Reads an SQLite file outside transactions, with a connection that only reads. Three techniques make it fast, each confirmed by
 * `benchmarks/registry-requests.ts`: statements are prepared once, the reads of one turn of the event loop share a transaction, and rows of
 * compiled queries are cached until any process commits.
 */
export class SqliteReads {
  readonly #options: SqliteReadsOptions;
  readonly #statements = new Statements(() => this.connection);
  readonly #prepared = new Map<string, StatementSync>();
  readonly #remembered = new RememberedRows();
  #connection: DatabaseSync | undefined;
  #transaction: ReadTransaction | undefined;

  constructor(options: SqliteReadsOptions) {
    this.#options = options;
  }

  get connection(): DatabaseSync {
    this.#connection ??= this.#options.open();
    return this.#connection;
  }

  /** The rows of a query, as objects. */
  run(text: string, parameters: readonly SQLInputValue[]): Rows {
    this.#options.onStatement(text);
    this.#shared().begin();
    return readRows(this.#statements.prepare(text), parameters);
  }

  /** The rows of a compiled query, cached or read now. */
  lookUp(asked: LookUp): Rows {
    this.#shared().checkVersion();
    return this.#remembered.find(asked, () => this.run(asked.query.sql, asked.parameters()));
  }

  /** The rows of a query as arrays. Each text is prepared only once. */
  runArrays(text: string, parameters: readonly SqlParameter[]): readonly SqlRow[] {
    this.#shared().begin();
    const statement = this.#prepared.get(text) ?? this.#prepareArrays(text);
    return statement.all(...(parameters as readonly SqlValue[])) as readonly unknown[] as readonly SqlRow[];
  }

  /** Makes later reads see the last commit of any process. */
  seeLatest(): void {
    this.#transaction?.end();
  }

  /** Makes later reads see everything committed before the request that has just arrived from its socket. */
  beginRequest(): void {
    this.#transaction?.beginRequest();
  }

  /** Closes the connection; the next read opens a new one. */
  reopen(): void {
    this.seeLatest();
    this.#transaction = undefined;
    this.#prepared.clear();
    this.#remembered.clear();
    this.#statements.clear();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #shared(): ReadTransaction {
    this.#transaction ??= new ReadTransaction(this.connection, (dataVersion) =>
      this.#remembered.setVersion(dataVersion),
    );
    return this.#transaction;
  }

  #prepareArrays(text: string): StatementSync {
    const statement = this.connection.prepare(text);
    statement.setReturnArrays(true);
    this.#prepared.set(text, statement);
    return statement;
  }
}
