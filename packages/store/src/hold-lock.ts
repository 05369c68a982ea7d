import { setTimeout as delay } from "node:timers/promises";
import type { ClusterLock } from "./locks.ts";

/** Options of holding a lock. */
export interface HoldLockOptions {
  /** The one that the lock was asked for with. */
  readonly leaseSeconds: number;
  /** Rejects when the signal is aborted. Absent: a timer. */
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` while a lock is held: renews it in time and releases it in the end. The signal that `work` gets is aborted,
 * with a StoreError `lock_lost` as its reason, when the lock is lost: another process may have begun the same work by then.
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
