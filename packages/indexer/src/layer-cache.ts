import type { Digest } from "@plimsoll/core";
import { LRUCache } from "lru-cache";
import type { LayerRecord } from "./layer-record.ts";

/** Keeps what was found in layers, per engine state, so that a known layer is not fetched again. */
export interface LayerCache {
  find(digest: Digest, engineState: string): Promise<LayerRecord | undefined>;
  /** Idempotent. */
  put(record: LayerRecord, engineState: string): Promise<void>;
}

/** A cache that lasts as long as the process, for `maxLayers` layers. */
export function memoryLayerCache(maxLayers = 200): LayerCache {
  const kept = new LRUCache<string, LayerRecord>({ max: maxLayers });
  return {
    find: async (digest, engineState) => kept.get(`${engineState} ${digest}`),
    put: async (record, engineState) => {
      kept.set(`${engineState} ${record.digest}`, record);
    },
  };
}
