import { AsyncLocalStorage } from "node:async_hooks";

const background = new AsyncLocalStorage<true>();

/**
 * Runs work that no client waits for: on SQLite, which has one writer, its writes wait until those of clients are done, but for one in
 * nine. Jobs run so, unless their kind is `urgent`.
 * @example
 * declare const sweep: () => Promise<void>;
 * await inBackground(sweep);
 */
export function inBackground<Result>(work: () => Result): Result {
  return background.run(true, work);
}

/** Whether the caller is work that {@link inBackground} runs. */
export function isInBackground(): boolean {
  return background.getStore() === true;
}
