import { setImmediate as nextTurn } from "node:timers/promises";

/** Others wait no longer than this for a thread that goes through something long. */
const turnMs = 8;

/** Called between the steps of something long, gives whatever else the thread has to do a turn when it has waited for a while. */
export function fairTurns(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < turnMs) return;
    await nextTurn();
    from = performance.now();
  };
}
