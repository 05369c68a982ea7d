import { allEcosystems, createEngine, type Engine } from "@plimsoll/core";
import type { Lookups } from "@plimsoll/core/internal";

/** Creates an engine with all ecosystems of `@plimsoll/core`. */
export function defaultEngine(lookups: Lookups = {}): Engine {
  return createEngine({ ecosystems: allEcosystems, lookups });
}
