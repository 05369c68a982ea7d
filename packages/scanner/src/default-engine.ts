import { allEcosystems, createEngine, type Engine } from "@plimsoll/core";

/** An engine with everything that comes with `@plimsoll/core`. */
export function defaultEngine(): Engine {
  return createEngine({ ecosystems: allEcosystems });
}
