import { StoreError } from "./errors.ts";

/** Options of `tryLock`. */
export interface LockOptions {
  readonly clock: { now(): number };
  /**
   * On SQLite: how long a hanging process keeps its lock; call `renew` within half of that time. The lock of an ended process is free at
   * once, even in another container. On PostgreSQL, a lock is free as soon as its connection has ended.
   */
  readonly leaseSeconds: number;
}

/** A held lock. Release it, or declare it with `await using`. */
export interface ClusterLock extends AsyncDisposable {
  readonly name: string;
  /** Checks that the lock is still held, and extends the lease. @throws StoreError `lock_lost` */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** The process that holds a lock, as far as the database knows. */
export interface LockHolder {
  readonly processId?: number;
  /** Epoch milliseconds. */
  readonly since?: number;
}

/** The locks of one database. */
export interface ClusterLocks {
  tryLock(name: string, options: LockOptions): Promise<ClusterLock | undefined>;
  findHolder(name: string): Promise<LockHolder>;
  /** Shows other processes that this one uses the database. @throws StoreError `locked` if it cannot be shared with one that does */
  announce(): void;
  close(): Promise<void>;
}

/** Builds a lock from its two functions. */
export function asLock(name: string, { renew, release }: Pick<ClusterLock, "renew" | "release">): ClusterLock {
  return { name, renew, release, [Symbol.asyncDispose]: release };
}

/** The error for a lost lock. */
export function lockLost(name: string, cause?: unknown): StoreError {
  return new StoreError("lock_lost", `the lock ${name} was lost: its lease ran out or the connection broke`, { cause });
}
