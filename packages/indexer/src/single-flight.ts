import { ScanError } from "@plimsoll/core";
import { holdLock, type LockOptions } from "@plimsoll/store";
import type { Sleep } from "./ports.ts";
import type { IndexerStore } from "./store/tables.ts";

/** What waiting for other processes needs. */
export interface SingleFlightOptions {
  readonly store: IndexerStore;
  readonly clock: LockOptions["clock"];
  readonly sleep: Sleep;
  /** From 0 to below 1. */
  readonly random: () => number;
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
 * @throws ScanError `aborted` when the signal is aborted while waiting; whatever `find` and `work` throw
 */
export async function singleFlight<T>(options: SingleFlightOptions, flight: Flight<T>): Promise<T> {
  const { store, clock, sleep, random, leaseSeconds = usualLeaseSeconds } = options;
  const { name, find, work, signal } = flight;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (signal.aborted) throw new ScanError("aborted", `waiting for ${name} was given up`, { cause: signal.reason });
    const lock = await store.tryLock(name, { clock, leaseSeconds });
    if (lock !== undefined) {
      return await holdLock(lock, { leaseSeconds, sleep, signal }, async (held) => (await find()) ?? work(held));
    }
    await sleep(pauseMs * (0.5 + random() / 2), signal).catch(() => {});
    const found = await find();
    if (found !== undefined) return found;
  }
}
