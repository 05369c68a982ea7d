import { StoreError } from "./errors.ts";

/** Options of taking a lock. */
export interface LockOptions {
  readonly clock: { now(): number };
  /**
   * How long the lock of a process that lives and does nothing any more stays taken on SQLite; `renew` in half that time. The
   * lock of a process that has ended is free at once, also from another container, and on PostgreSQL as soon as the connection
   * is gone.
   */
  readonly leaseSeconds: number;
}

/** A lock that is held. Release it, or declare it with `await using`. */
export interface ClusterLock extends AsyncDisposable {
  readonly name: string;
  /** Makes sure that the lock is still held and extends the lease. @throws StoreError `lock_lost` */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** The process that holds a lock, as far as the database knows. */
export interface LockHolder {
  readonly processId?: number;
  /** Epoch milliseconds. */
  readonly since?: number;
}

/** Hands out the locks of one database. */
export interface ClusterLocks {
  tryLock(name: string, options: LockOptions): Promise<ClusterLock | undefined>;
  findHolder(name: string): Promise<LockHolder>;
  /** Shows others that this process uses the database. @throws StoreError `locked` where it cannot be shared with one that does */
  announce(): void;
  close(): Promise<void>;
}

/** A lock from its two functions. */
export function asLock(name: string, { renew, release }: Pick<ClusterLock, "renew" | "release">): ClusterLock {
  return { name, renew, release, [Symbol.asyncDispose]: release };
}

/** The error of a lock that is not held any more. */
export function lockLost(name: string, cause?: unknown): StoreError {
  return new StoreError("lock_lost", `the lock ${name} was lost: its lease ran out or the connection broke`, { cause });
}
