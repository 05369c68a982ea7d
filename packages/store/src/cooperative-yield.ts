import { setImmediate as runOtherWork } from "node:timers/promises";

/** How long a thread works before other work may run. */
const sliceMs = 8;

/**
 * Returns a function to await between the short steps of long work. Every 8 ms it lets the event loop run other work; otherwise it
 * resolves at once.
 * @example
 * declare const rows: readonly string[];
 * const giveWay = cooperativeYield();
 * for (const row of rows) {
 *   JSON.parse(row);
 *   await giveWay();
 * }
 */
export function cooperativeYield(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < sliceMs) return;
    await runOtherWork();
    from = performance.now();
  };
}
