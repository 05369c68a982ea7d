import type { Kysely, Transaction } from "kysely";
import type { ClusterLock, LockHolder, LockOptions } from "./locks.ts";

/** The database engines. */
export type StoreKind = "sqlite" | "postgres";

/** A value of a column: text ids, epoch milliseconds, 0 or 1, JSON as text. */
export type SqlValue = string | number | null;

/** A parameter of a prepared query; lists work only on PostgreSQL. */
export type SqlParameter = SqlValue | readonly string[];

/** A row as its columns in order. */
export type SqlRow = readonly SqlValue[];

/** A read that is prepared once and run often. It sees committed data only, never an open transaction. */
export type PreparedRead = (...parameters: readonly SqlParameter[]) => Promise<readonly SqlRow[]>;

/**
 * An open database. Close it, or declare it with `await using`. A store with the tables of several services is also a store of each service.
 * `out` declares this, because versions of the compiler derive it differently from Kysely's types (5.9 rejects it).
 * @ts-expect-error Kysely's types do not allow it, although queries of existing tables are harmless */
export interface Store<out DB> extends AsyncDisposable {
  readonly kind: StoreKind;
  /** Its location for messages, without a password. */
  readonly location: string;
  /**
   * Queries outside a transaction. They run while a transaction is open, and do not see its changes. They see commits of this process at once.
   * On SQLite they see commits of other processes from the next turn of the event loop, or after {@link Store.seeLatest}.
   */
  readonly db: Kysely<DB>;
  /**
   * The same database, for writes that need not survive a power failure: on SQLite they do not wait until they are on disk. All other
   * acknowledged writes are on disk.
   */
  readonly relaxed: Kysely<DB>;
  /**
   * Runs `work` in a transaction, which is rolled back if `work` throws. On SQLite one runs at a time. `work` must use only the given
   * transaction, never `db`.
   */
  transaction<T>(work: (transaction: Transaction<DB>) => Promise<T>): Promise<T>;
  /** Prepares a query that is too frequent for the query builder. Parameters are `?` on SQLite and `$1` on PostgreSQL. */
  prepareRead(text: string): PreparedRead;
  /** Takes a lock that all users of the database share; undefined if another holder has it. */
  tryLock(name: string, options: LockOptions): Promise<ClusterLock | undefined>;
  /**
   * Makes later reads see everything that any process has committed. It costs nothing if nothing was read in this turn of the event loop.
   */
  seeLatest(): void;
  /**
   * As {@link seeLatest} for a request that has just arrived: later reads see everything committed before it arrived. Call it synchronously
   * when the socket reports the request (HTTP/1.1). Requests that arrived together check the database only once.
   */
  beginRequest(): void;
  /**
   * Updates the query planner's statistics of tables that have grown or shrunk a lot, in steps of some milliseconds. Call it after many
   * writes, and regularly. PostgreSQL does this itself (autovacuum).
   */
  optimize(): Promise<void>;
  /** The process that holds a lock, as far as it is known; empty if none holds it. */
  findLockHolder(name: string): Promise<LockHolder>;
  close(): Promise<void>;
}
