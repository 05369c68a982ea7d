import type { Kysely, Transaction } from "kysely";
import type { ClusterLock, LockHolder, LockOptions } from "./locks.ts";

/** The database engines. */
export type StoreKind = "sqlite" | "postgres";

/** A value of a column: text ids, epoch milliseconds, 0 or 1, JSON as text. */
export type SqlValue = string | number | null;

/** A parameter of a prepared query; lists only on PostgreSQL. */
export type SqlParameter = SqlValue | readonly string[];

/** A row as its columns in order. */
export type SqlRow = readonly SqlValue[];

/** A read that is prepared once and run often. It sees what is committed, never an open transaction. */
export type PreparedRead = (...parameters: readonly SqlParameter[]) => Promise<readonly SqlRow[]>;

/**
 * An open database. Close it, or declare it with `await using`. A store of several services' tables is a store of each of them:
 * `out` says so, because what the compiler would derive from Kysely's types differs between its versions (5.9 says no).
 * @ts-expect-error Kysely's types do not admit it, though queries that name tables which are there do no harm */
export interface Store<out DB> extends AsyncDisposable {
  readonly kind: StoreKind;
  /** Where it is, fit for messages: no password. */
  readonly location: string;
  /**
   * Queries outside a transaction. They go on while a transaction is open and do not see its changes. What this process has
   * committed they see at once; what another has, on SQLite, from the next turn of the event loop on, or from
   * {@link Store.seeLatest} on.
   */
  readonly db: Kysely<DB>;
  /**
   * The same database, for writes that no client waits for: they do not wait until they are on disk, so that the last ones before
   * a power failure may be missing. Everything else that is acknowledged is on disk.
   */
  readonly relaxed: Kysely<DB>;
  /**
   * Runs `work` in a transaction: all of it is kept, or nothing when it throws. On SQLite one at a time. `work` uses
   * only the transaction it is given, never `db`.
   */
  transaction<T>(work: (transaction: Transaction<DB>) => Promise<T>): Promise<T>;
  /** Prepares a query that is too hot for the query builder; parameters are `?` on SQLite and `$1` on PostgreSQL. */
  prepareRead(text: string): PreparedRead;
  /** The lock of that name for all who use the database, or undefined while another holder has it. */
  tryLock(name: string, options: LockOptions): Promise<ClusterLock | undefined>;
  /**
   * What is read from now on sees everything that was committed before, by whichever process. It costs nothing where nothing was read
   * in this turn of the event loop.
   */
  seeLatest(): void;
  /**
   * The same for a request that has just come in, with what was committed before it did: to be called by what is told of a request by
   * its socket (HTTP/1.1), before anything is waited for. Requests that were there together ask the database once and not once each.
   */
  beginRequest(): void;
  /**
   * Brings the statistics that queries are planned by up to date where tables have grown or shrunk a lot, in steps of some
   * milliseconds: to be called after much was written, and now and then. PostgreSQL does it by itself (autovacuum).
   */
  optimize(): Promise<void>;
  /** Which process has the lock of that name, as far as that can be told; nothing where none has it. */
  findLockHolder(name: string): Promise<LockHolder>;
  close(): Promise<void>;
}
