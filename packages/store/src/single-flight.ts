import { holdLock } from "./hold-lock.ts";
import { systemTime } from "./jobs/system-time.ts";
import type { LockOptions } from "./locks.ts";
import type { Store } from "./store.ts";

/** What waiting for other processes needs. */
export interface SingleFlightOptions {
  readonly store: Pick<Store<unknown>, "tryLock">;
  readonly clock: LockOptions["clock"];
  /** Waits; ends early, resolving or rejecting, when the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to below 1; chance where absent. */
  readonly random?: () => number;
  /**
   * How long the work of a process that died on SQLite stays undone; a process that cannot renew its locks in that time loses
   * its work. {@link usualLeaseSeconds} where absent.
   */
  readonly leaseSeconds?: number;
}

/** Work that one process does at a time, on any node. */
export interface Flight<T> {
  /** Names the work on all nodes. */
  readonly name: string;
  /** What other processes have finished by now; it may also throw how they failed. */
  find(): Promise<T | undefined>;
  work(signal: AbortSignal): Promise<T>;
  readonly signal: AbortSignal;
}

/** See {@link SingleFlightOptions.leaseSeconds}. */
export const usualLeaseSeconds = 30;

const [firstPauseMs, longestPauseMs] = [20, 1_000];

/**
 * Waits until another process has done the work or this one may. The caller has just found that it is not done.
 * @throws the reason of the signal when it is aborted while waiting; whatever `find` and `work` throw
 * @example
 * declare const store: Store<unknown>;
 * const found = new Map<string, number>();
 * const answer = await singleFlight(
 *   { store, ...systemTime },
 *   {
 *     name: "example.answer",
 *     find: async () => found.get("answer"), // in the database, in life
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
