import type { Digest, LayerFindings } from "@plimsoll/core";
import { LRUCache } from "lru-cache";

/** Keeps what was found in layers, per engine state, so that a known layer is not fetched again. */
export interface LayerCache {
  find(digest: Digest, engineState: string): Promise<LayerFindings | undefined>;
  /** Idempotent. */
  put(findings: LayerFindings, engineState: string): Promise<void>;
}

/** A cache that lasts as long as the process, for `maxLayers` layers. */
export function memoryLayerCache(maxLayers = 200): LayerCache {
  const kept = new LRUCache<string, LayerFindings>({ max: maxLayers });
  return {
    find: async (digest, engineState) => kept.get(`${engineState} ${digest}`),
    put: async (findings, engineState) => {
      kept.set(`${engineState} ${findings.digest}`, findings);
    },
  };
}
