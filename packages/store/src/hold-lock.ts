import { setTimeout as delay } from "node:timers/promises";
import type { ClusterLock } from "./locks.ts";

/** Options of {@link holdLock}. */
export interface HoldLockOptions {
  /** The lease that the lock was taken with. */
  readonly leaseSeconds: number;
  /** Waits; ends early when the signal is aborted. A timer by default. */
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** Aborts the work. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` while holding a lock: renews the lock in time, and releases it at the end. If the lock is lost, the signal of `work` is aborted
 * with a StoreError `lock_lost` as its reason. By then another process may have begun the same work.
 * @example
 * declare const store: Store<unknown>;
 * const options = { leaseSeconds: 60, clock: systemTime.clock };
 * const lock = await store.tryLock("update-feeds", options);
 * if (lock !== undefined) await holdLock(lock, options, async (signal) => signal.throwIfAborted());
 */
export async function holdLock<T>(
  lock: ClusterLock,
  { leaseSeconds, sleep = pause, signal }: HoldLockOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [ended, lost] = [new AbortController(), new AbortController()];
  const renewing = renewUntil(ended.signal, lock, () => sleep((leaseSeconds * 1000) / 2, ended.signal)).catch(
    (error: unknown) => lost.abort(error),
  );
  try {
    return await work(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]));
  } finally {
    ended.abort();
    await renewing;
    await lock.release();
  }
}

async function renewUntil(ended: AbortSignal, lock: ClusterLock, pause: () => Promise<unknown>): Promise<void> {
  while (!ended.aborted) {
    await pause().catch(() => {});
    if (!ended.aborted) await lock.renew();
  }
}

function pause(delayMs: number, signal?: AbortSignal): Promise<unknown> {
  return delay(delayMs, undefined, signal && { signal });
}
