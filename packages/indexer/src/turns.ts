import { ScanError } from "@plimsoll/core";
import { holdLock, type LockOptions } from "@plimsoll/store";
import type { Sleep } from "./ports.ts";
import type { IndexerStore } from "./store/tables.ts";

/** What waiting for others needs. */
export interface TurnOptions {
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

/** Work that only one does, at whatever node. */
export interface Turn<T> {
  /** Of the work, for everybody. */
  readonly name: string;
  /** What others have come to by now; it may also throw how they failed. */
  find(): Promise<T | undefined>;
  work(signal: AbortSignal): Promise<T>;
  readonly signal: AbortSignal;
}

/** See {@link TurnOptions.leaseSeconds}. */
export const usualLeaseSeconds = 30;

const [firstPauseMs, longestPauseMs] = [20, 1_000];

/**
 * Waits until somebody else has done the work or it is our turn. The caller has just found that it is not done.
 * @throws ScanError `aborted` when the signal is aborted while waiting; whatever `find` and `work` throw
 */
export async function takeTurn<T>(options: TurnOptions, turn: Turn<T>): Promise<T> {
  const { store, clock, sleep, random, leaseSeconds = usualLeaseSeconds } = options;
  const { name, find, work, signal } = turn;
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
