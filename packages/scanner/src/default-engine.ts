import { allEcosystems, createEngine, type Engine } from "@plimsoll/core";

/** Creates an engine with all ecosystems of `@plimsoll/core`. */
export function defaultEngine(): Engine {
  return createEngine({ ecosystems: allEcosystems });
}
