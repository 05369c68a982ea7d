import { LRUCache } from "lru-cache";
import type { LayerCache } from "./ports.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/**
 * A cache in memory for `maxLayers` layers.
 * @example
 * declare const readers: ImageReaders;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const indexer = createIndexer({ engine, readers, cache: memoryLayerCache(500), layersAtOnce: 2 });
 */
export function memoryLayerCache(maxLayers = 200): LayerCache {
  const kept = new LRUCache<string, LayerRecord>({ max: maxLayers });
  return {
    find: async (digest, engineState) => kept.get(`${engineState} ${digest}`),
    put: async (record, engineState) => {
      kept.set(`${engineState} ${record.digest}`, record);
    },
  };
}
