import { performance } from "node:perf_hooks";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as afterThisTurn } from "node:timers";
import type { SqlParameter, SqlRow, SqlValue } from "../store.ts";
import { type LookUp, RememberedRows, type Rows } from "./remembered-rows.ts";
import { readRows, Statements } from "./statements.ts";

/** Options of {@link SqliteReads}. */
interface SqliteReadsOptions {
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

/**
 * The transaction that reads share within one turn of the event loop, because beginning and ending one locks the file, which costs as much
 * as a small query. It ends with the turn, after a write of this process, and when a request begins that may have arrived later. Cached
 * rows need no transaction: it is enough to check the version of the database in that time.
 */
export class ReadTransaction {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #onVersion: (dataVersion: SqlValue) => void;
  readonly #endWithTurn = (): void => this.end();
  #isKnown = false;
  #isOpen = false;
  /** The {@link inputBatch} in which the version was read. */
  #askedIn = -1;

  /** @param onVersion called with the version of the database whenever it is read */
  constructor(reader: DatabaseSync, onVersion: (dataVersion: SqlValue) => void) {
    this.#begin = reader.prepare("begin");
    this.#commit = reader.prepare("commit");
    this.#dataVersion = reader.prepare("pragma data_version");
    this.#dataVersion.setReturnArrays(true);
    this.#onVersion = onVersion;
  }

  /** Reads the version of the database unless it is known. Call it before using cached rows. */
  checkVersion(): void {
    if (!this.#isKnown) this.#see();
  }

  /** Begins the transaction unless it is open. Call it before every read. */
  begin(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#see(); // again: another process may have written since
  }

  /** Call it when a request has arrived from a socket. Requests that arrived together share the transaction. */
  beginRequest(): void {
    if (this.#isKnown && this.#askedIn !== inputBatch()) this.end();
  }

  /** Ends the transaction, so that later reads see the last commit. */
  end(): void {
    this.#isKnown = false;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#commit.run();
  }

  #see(): void {
    const row = this.#dataVersion.get() as unknown as readonly SqlValue[] | undefined;
    if (!this.#isKnown) afterThisTurn(this.#endWithTurn);
    this.#isKnown = true;
    this.#askedIn = inputBatch();
    this.#onVersion(row?.[0] ?? null);
  }
}

const { nodeTiming } = performance;

/** More than the events of one poll of the sockets. */
const eventsModulus = 2 ** 20;

/**
 * A number that changes each time this thread polls its sockets. Input that is handled under one number had arrived before the first of it
 * was handled. Reading the number costs a tenth of a microsecond.
 *
 * The event loop counts its turns just before it polls, and counts the events of a poll when they are handled.
 * @see https://nodejs.org/api/perf_hooks.html#performancenodetiminguvmetricsinfo
 */
export function inputBatch(): number {
  const { loopCount, events } = nodeTiming.uvMetricsInfo;
  return loopCount * eventsModulus + (events % eventsModulus);
}
