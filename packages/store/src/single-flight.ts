import { holdLock } from "./hold-lock.ts";
import { systemTime } from "./jobs/system-time.ts";
import type { LockOptions } from "./locks.ts";
import type { Store } from "./store.ts";

/** Options of {@link singleFlight}. */
export interface SingleFlightOptions {
  readonly store: Pick<Store<unknown>, "tryLock">;
  readonly clock: LockOptions["clock"];
  /** Waits; ends early, resolving or rejecting, when the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to below 1; `Math.random` by default. */
  readonly random?: () => number;
  /**
   * On SQLite: how long a hanging process blocks the work. A process that cannot renew its lock in that time loses its work.
   * {@link usualLeaseSeconds} by default.
   */
  readonly leaseSeconds?: number;
}

/** Work that only one process at a time does, on all nodes. */
export interface Flight<T> {
  /** The name of the work, the same on all nodes. */
  readonly name: string;
  /** The result of another process; undefined if there is none. It may throw the error of another process. */
  find(): Promise<T | undefined>;
  work(signal: AbortSignal): Promise<T>;
  readonly signal: AbortSignal;
}

/** See {@link SingleFlightOptions.leaseSeconds}. */
export const usualLeaseSeconds = 30;

const [firstPauseMs, longestPauseMs] = [20, 1_000];

/**
 * Waits until another process has done the work, or this one can do it. The caller has just checked that it is not done.
 * @throws the reason of the signal if it is aborted while waiting; errors of `find` and `work`
 * @example
 * declare const store: Store<unknown>;
 * const found = new Map<string, number>();
 * const answer = await singleFlight(
 *   { store, ...systemTime },
 *   {
 *     name: "example.answer",
 *     find: async () => found.get("answer"), // in practice, from the database
 *     work: async () => 42,
 *     signal: AbortSignal.timeout(60_000),
 *   },
 * );
 */
export async function singleFlight<T>(options: SingleFlightOptions, flight: Flight<T>): Promise<T> {
  const { store, clock, random = systemTime.random, leaseSeconds = usualLeaseSeconds } = options;
  const { name, find, work, signal } = flight;
  const sleep = (delayMs: number, ended = signal) => options.sleep(delayMs, ended);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    const lock = await store.tryLock(name, { clock, leaseSeconds });
    if (lock !== undefined) {
      return await holdLock(lock, { leaseSeconds, sleep, signal }, async (held) => (await find()) ?? work(held));
    }
    await sleep(pauseMs * (0.5 + random() / 2)).catch(() => {});
    const found = await find();
    if (found !== undefined) return found;
  }
}
