import { type Engine, type EngineOptions, engineOf } from "./engine.ts";
import { allEnrichers } from "./enrichers/all.ts";

/**
 * Creates an engine.
 * @throws TypeError when two detectors, matchers, updaters or enrichers share a name, two enrichers a type (their results are
 * kept under it) or two ecosystems a type of package URLs
 * @example
 * const engine = createEngine({ ecosystems: [dpkg, linux], limits: { maxLayers: 100 } });
 */
export function createEngine(options: EngineOptions): Engine {
  return engineOf({ ...options, enrichers: options.enrichers ?? allEnrichers });
}
