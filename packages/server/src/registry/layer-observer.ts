import type { LayerCache, LayerReader } from "@plimsoll/indexer";
import type { LayerObserver } from "@plimsoll/registry-api";
import pLimit from "p-limit";

/** What pushed layers are read with. */
export interface LayerObserverOptions {
  readonly readLayer: LayerReader;
  /** Layers read at the same time; others wait in the queues of their uploads. */
  readonly layersAtOnce: number;
  /** Where findings are kept, and for which engine state. */
  readonly cache: LayerCache;
  readonly engineState: string;
}

/**
 * Reads pushed layers and keeps what is found, so that images are indexed as soon as their manifest comes. The store verifies the
 * bytes, so no digest of them is computed a second time.
 */
export function layerObserver({ readLayer, layersAtOnce, cache, engineState }: LayerObserverOptions): LayerObserver {
  const atOnce = pLimit(layersAtOnce);
  return {
    observe: (upload) =>
      atOnce(async () => {
        const { digest: verifiedDigest } = upload;
        const { record } = await readLayer({
          open: () => upload.open(),
          reopens: true,
          expected: {},
          verifiedDigest,
        });
        await cache.put(record, engineState);
      }),
  };
}
