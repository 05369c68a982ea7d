import { allEcosystems, createEngine, type Engine, type Lookups } from "@plimsoll/core";

/** Creates an engine with all ecosystems of `@plimsoll/core`. */
export function defaultEngine(lookups: Lookups = {}): Engine {
  return createEngine({ ecosystems: allEcosystems, lookups });
}
