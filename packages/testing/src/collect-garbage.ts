import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs V8's garbage collection now. A `WeakRef` of an unreferenced object is empty after the next turn of the event loop. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
}
