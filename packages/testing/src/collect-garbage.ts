import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Has V8 look for garbage now: what is not referenced is gone then, and a `WeakRef` of it empty once the event loop has turned. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
}
