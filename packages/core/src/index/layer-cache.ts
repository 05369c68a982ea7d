import type { FoundInLayer } from "../image/image-source.ts";
import type { Digest } from "../model/digest.ts";

/** Keeps the findings of layers per engine state, so that a known layer is not read again. */
export interface LayerCache<Found extends FoundInLayer = FoundInLayer> {
  find(digest: Digest, engineState: string): Promise<Found | undefined>;
  /** Idempotent. */
  put(record: Found, engineState: string): Promise<void>;
}

/**
 * A cache in memory without a limit.
 * @example
 * declare const sources: readonly ImageSource[];
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const cache = boundlessLayerCache<LayerFindings>();
 * for (const source of sources) {
 *   for await (const { report } of indexSource(engine, source, { cache })) console.log(report.packages);
 * }
 */
export function boundlessLayerCache<Found extends FoundInLayer>(): LayerCache<Found> {
  const kept = new Map<string, Found>();
  return {
    find: async (digest, engineState) => kept.get(`${engineState} ${digest}`),
    put: async (record, engineState) => {
      kept.set(`${engineState} ${record.digest}`, record);
    },
  };
}
