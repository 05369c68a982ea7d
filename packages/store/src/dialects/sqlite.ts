import { quoted } from "../quoted.ts";
/**
 * Kysely on `node:sqlite`. It differs from Kysely's own SQLite dialect in three things: reads have their own connection
 * and go on while a transaction is open; transactions begin IMMEDIATE, so that two of them never deadlock on an
 * upgrade; and other work gets a turn after each write and each transaction, because statements run on the event loop. Within a
 * transaction it gets one every few milliseconds and not after each statement: all other writers would wait for that as well.
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
import { cooperativeYield } from "../cooperative-yield.ts";
import type { JobEvents } from "../jobs/job-events.ts";
import { valueRowsOf } from "../run-for-rows.ts";
import { SqliteFileAdapter } from "./sqlite-adapter.ts";
import type { SqliteFile } from "./sqlite-file.ts";
import type { SqliteReads } from "./sqlite-reads.ts";
import { readRows } from "./statements.ts";
import type { WriterTurn } from "./writer-queue.ts";

/** How a file is used. */
export interface SqliteDialectOptions {
  readonly jobEvents: JobEvents;
  readonly isRelaxed?: boolean;
}

/**
 * The dialect for one open file, which is not closed by closing the Kysely instance. Writes of the relaxed one do not wait until they
 * are on disk.
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
  /** Kysely remembers every connection that it has ever seen, so those that are free are used again. */
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

/** What one Kysely call or one transaction sees of the file. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  /** There while a transaction is open. */
  #turn: WriterTurn | undefined;
  /** Awaited after each statement of a transaction. */
  #letOthersWork = cooperativeYield();
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
      this.#letOthersWork = cooperativeYield();
    } catch (error) {
      turn.release();
      throw error;
    }
  }

  /**
   * After a failed commit the transaction is still open, and Kysely rolls it back. One that was committed and could not be
   * brought to disk is over.
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

  /** The result is read at once: an open cursor would keep the connection's view of the file in the past. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async #read<R>(reads: SqliteReads, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const begunMs = performance.now();
    const rows = this.#file.guard(() => reads.run(sql, parameters as readonly SQLInputValue[]));
    if (performance.now() - begunMs > longReadMs) await nextTurn();
    return { rows: rows as readonly unknown[] as R[] };
  }

  /** A statement on the connection that writes; in a transaction, reads are among them. */
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

/** After a read that took so long other work gets a turn: several in a row, as of days that are counted, hold no request up. */
const longReadMs = 5;

function onlyReads(query: CompiledQuery): boolean {
  return SelectQueryNode.is(query.query) || /^\s*select\b/i.test(query.sql);
}
