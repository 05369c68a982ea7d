import { setImmediate as nextTurn } from "node:timers/promises";
import { nextSlice } from "./slice-queue.ts";

/** How long a thread works before other work may run. */
const sliceMs = 8;

/**
 * Returns a function to await between the short steps of long work. Every 8 ms it lets the event loop run other work, and long work that
 * began before; otherwise it resolves at once. So requests wait for 8 ms at a time, however much long work there is.
 * @example
 * declare const rows: readonly string[];
 * const giveWay = cooperativeYield();
 * for (const row of rows) {
 *   JSON.parse(row);
 *   await giveWay();
 * }
 */
export function cooperativeYield(): () => Promise<void> {
  return yieldBy(nextSlice);
}

/**
 * As {@link cooperativeYield}, for the statements of databases, which are part of short requests as well: it does not wait for long work,
 * only for one turn of the event loop.
 */
export function yieldToEvents(): () => Promise<void> {
  return yieldBy(nextTurn);
}

function yieldBy(wait: () => Promise<unknown>): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < sliceMs) return;
    await wait();
    from = performance.now();
  };
}
