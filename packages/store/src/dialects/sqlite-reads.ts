import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SqlParameter, SqlRow, SqlValue } from "../store.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { type LookUp, RememberedRows, type Rows } from "./remembered-rows.ts";
import { readRows, Statements } from "./statements.ts";

/** What reading a file needs. */
export interface SqliteReadsOptions {
  /** Opens the connection that reads; called when it is first needed, and after {@link SqliteReads.reopen}. */
  readonly open: () => DatabaseSync;
  /** Told of each statement. */
  readonly onStatement: (text: string) => void;
}

/**
 * The one way in which an SQLite file is read outside transactions, by a connection that only reads. Three things make it fast,
 * each of which `benchmarks/registry-requests.ts` shows to pay: statements are prepared once, the reads of one turn of the event
 * loop share a transaction, and the rows of look-ups are remembered while nothing is committed, by whichever process.
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
    this.#shared().enter();
    return readRows(this.#statements.prepare(text), parameters);
  }

  /** The rows of a look-up, read now or remembered. */
  lookUp(asked: LookUp): Rows {
    this.#shared().look();
    return this.#remembered.find(asked, () => this.run(asked.query.sql, asked.parameters()));
  }

  /** The rows of a query as arrays; a text that was given before costs nothing to prepare. */
  runArrays(text: string, parameters: readonly SqlParameter[]): readonly SqlRow[] {
    this.#shared().enter();
    const statement = this.#prepared.get(text) ?? this.#prepareArrays(text);
    return statement.all(...(parameters as readonly SqlValue[])) as readonly unknown[] as readonly SqlRow[];
  }

  /** What is read from now on sees the last commit, by whichever process. */
  seeLatest(): void {
    this.#transaction?.end();
  }

  /** What is read from now on sees what was committed before a request came in from its socket just now. */
  beginRequest(): void {
    this.#transaction?.beginRequest();
  }

  /** Closes the connection: the next read opens another. */
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
    this.#transaction ??= new ReadTransaction(this.connection, (dataVersion) => this.#remembered.see(dataVersion));
    return this.#transaction;
  }

  #prepareArrays(text: string): StatementSync {
    const statement = this.connection.prepare(text);
    statement.setReturnArrays(true);
    this.#prepared.set(text, statement);
    return statement;
  }
}
