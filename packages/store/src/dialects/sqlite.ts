import { quoted } from "../quoted.ts";
/*
 * Kysely on `node:sqlite`. It differs from Kysely's own SQLite dialect in three ways. Reads have their own connection, and continue while
 * a transaction is open. Transactions begin IMMEDIATE, so that two of them never deadlock on an upgrade. Statements run on the event loop,
 * so other work may run after each write and each transaction. Within a transaction it may run only every few milliseconds, because all
 * other writers wait meanwhile.
 */

import type { SQLInputValue } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { yieldToEvents } from "../cooperative-yield.ts";
import type { JobEvents } from "../jobs/job-events.ts";
import { valueRowsOf } from "../run-for-rows.ts";
import { SqliteFileAdapter } from "./engine-adapter.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import type { SqliteReads } from "./sqlite-reads.ts";
import { readRows } from "./statements.ts";
import type { WriterTurn } from "./writer-queue.ts";

/** Options of {@link sqliteDialect}. */
export interface SqliteDialectOptions {
  readonly jobEvents: JobEvents;
  readonly isRelaxed?: boolean;
}

/**
 * The dialect for an open file. Destroying the Kysely instance does not close the file. Relaxed writes do not wait until they are on
 * disk.
 */
export function sqliteDialect(file: SqliteFile, { jobEvents, isRelaxed = false }: SqliteDialectOptions): Dialect {
  return {
    createAdapter: () => new SqliteFileAdapter(file, jobEvents),
    createDriver: () => new NodeSqliteDriver(file, { isRelaxed }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class NodeSqliteDriver implements Driver {
  readonly #file: SqliteFile;
  readonly #isRelaxed: boolean;
  /** Free connections for reuse, because Kysely keeps a reference to every connection that it has seen. */
  readonly #free: SqliteConnection[] = [];

  constructor(file: SqliteFile, { isRelaxed }: { readonly isRelaxed: boolean }) {
    this.#file = file;
    this.#isRelaxed = isRelaxed;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#free.pop() ?? new SqliteConnection(this.#file, { isRelaxed: this.#isRelaxed });
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    const hasWritten = connection.end("commit");
    if (hasWritten) await (this.#isRelaxed ? nextTurn() : this.#file.synced());
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.end("rollback");
  }

  async savepoint(connection: SqliteConnection, name: string): Promise<void> {
    connection.execute(`savepoint ${quoted(name)}`);
  }

  async rollbackToSavepoint(connection: SqliteConnection, name: string): Promise<void> {
    connection.execute(`rollback to ${quoted(name)}`);
  }

  async releaseSavepoint(connection: SqliteConnection, name: string): Promise<void> {
    connection.execute(`release ${quoted(name)}`);
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    this.#free.push(connection);
  }

  async destroy(): Promise<void> {}
}

/** The file as one Kysely call or one transaction sees it. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  /** The right to write; set while a transaction is open. */
  #turn: WriterTurn | undefined;
  /** Awaited after each statement of a transaction. */
  #letOthersWork = yieldToEvents();
  readonly #isRelaxed: boolean;
  #hasWritten = false;

  constructor(file: SqliteFile, { isRelaxed }: { readonly isRelaxed: boolean }) {
    this.#file = file;
    this.#isRelaxed = isRelaxed;
  }

  async begin(): Promise<void> {
    const turn = await this.#file.writing.acquire();
    try {
      await this.#file.whenUnlocked(() => this.execute(this.#file.readOnly ? "begin" : "begin immediate"));
      this.#turn = turn;
      this.#hasWritten = false;
      this.#letOthersWork = yieldToEvents();
    } catch (error) {
      turn.release();
      throw error;
    }
  }

  /**
   * Ends the transaction. After a failed commit it is still open, and Kysely rolls it back. A transaction that was committed but could not be
   * synced to disk has ended.
   * @returns whether the transaction has written anything
   */
  end(how: "commit" | "rollback"): boolean {
    if (this.#turn === undefined) return false;
    if (how === "commit" || this.#file.writer.isTransaction) this.execute(how);
    this.#file.reads?.seeLatest();
    this.#turn.release();
    this.#turn = undefined;
    return this.#hasWritten;
  }

  /** Runs a statement without parameters and result on the connection that writes. */
  execute(text: string): void {
    this.#file.guard(() => this.#file.writer.exec(text));
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn !== undefined) return this.#writeInTransaction(query, this.#turn);
    const { reads } = this.#file;
    if (reads !== undefined && onlyReads(query)) return this.#read(reads, query);
    const result = await this.#runAlone<R>(query);
    if (!onlyReads(query)) await (this.#isRelaxed ? nextTurn() : this.#file.synced());
    return result;
  }

  async #runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const turn = await this.#file.writing.acquire();
    turn.note(query.sql);
    try {
      return await this.#file.whenUnlocked(() => this.#write<R>(query));
    } finally {
      turn.release();
    }
  }

  async #writeInTransaction<R>(query: CompiledQuery, turn: WriterTurn): Promise<QueryResult<R>> {
    turn.note(query.sql);
    const result = this.#write<R>(query);
    await this.#letOthersWork();
    return result;
  }

  /** Reads the result at once, because an open cursor would keep the connection at an old state of the file. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async #read<R>(reads: SqliteReads, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const begunMs = performance.now();
    const rows = this.#file.guard(() => reads.run(sql, parameters as readonly SQLInputValue[]));
    if (performance.now() - begunMs > longReadMs) await nextTurn();
    return { rows: rows as readonly unknown[] as R[] };
  }

  /** Runs a statement on the connection that writes; in a transaction, also reads. */
  #write<R>(query: CompiledQuery): QueryResult<R> {
    const parameters = query.parameters as readonly SQLInputValue[];
    const result = this.#file.guard((): QueryResult<R> => {
      const statement = this.#file.prepare(query.sql);
      const valueRows = valueRowsOf(query);
      if (valueRows !== undefined) for (const values of valueRows) statement.prepared.run(...values);
      if (valueRows !== undefined) return { rows: [], numAffectedRows: BigInt(valueRows.length) };
      if (statement.columns.length > 0) return { rows: readRows(statement, parameters) as R[] };
      const { changes } = statement.prepared.run(...parameters);
      this.#file.trouble.worked("wrote");
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
    this.#file.reads?.seeLatest();
    if (!onlyReads(query)) this.#hasWritten = true;
    return result;
  }
}

/** After a longer read other work may run, so that a series of such reads does not delay requests. */
const longReadMs = 5;

function onlyReads(query: CompiledQuery): boolean {
  return SelectQueryNode.is(query.query) || /^\s*select\b/i.test(query.sql);
}
