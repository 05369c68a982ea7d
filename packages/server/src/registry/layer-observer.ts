import { detectLayer, type Engine, readLayer, wantedByAny } from "@plimsoll/core";
import { createBackgroundDecompressors, type LayerCache, nodeHasher } from "@plimsoll/indexer";
import type { LayerObserver } from "@plimsoll/registry-api";

/**
 * Reads pushed layers with an engine and keeps what is found, so that images are indexed as soon as their manifest comes. The
 * store verifies the bytes, so no digest of them is computed a second time.
 */
export function layerObserver(engine: Engine, layers: LayerCache): LayerObserver {
  const { detectors, limits } = engine;
  const decompressors = createBackgroundDecompressors();
  const platform = { wants: wantedByAny(detectors), decompressors, createHasher: nodeHasher, limits };
  return {
    async observe(upload) {
      const contents = await readLayer({ ...platform, open: () => upload.open(), reopens: true, expected: {} });
      const digest = await upload.digest;
      await layers.put(detectLayer(detectors, digest, contents), engine.state);
    },
  };
}
