import { AsyncLocalStorage } from "node:async_hooks";

const background = new AsyncLocalStorage<true>();

/**
 * Runs work that no client waits for. On SQLite, which has one writer, its writes wait for those of clients, except for one in nine. Jobs run
 * in the background, unless their kind is `urgent`.
 * @example
 * declare const sweep: () => Promise<void>;
 * await inBackground(sweep);
 */
export function inBackground<Result>(work: () => Result): Result {
  return background.run(true, work);
}

/** Whether the calling code runs in {@link inBackground}. */
export function isInBackground(): boolean {
  return background.getStore() === true;
}
