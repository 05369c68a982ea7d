import { setImmediate as nextTurn } from "node:timers/promises";
import type { LayerCache, LayerReader } from "@plimsoll/indexer";
import type { LayerObserver, ReadableUpload } from "@plimsoll/registry-api";

/** What pushed layers are read with. */
export interface LayerObserverOptions {
  readonly readLayer: LayerReader;
  /** Layers read at the same time. */
  readonly layersAtOnce: number;
  /** Where findings are kept, and for which engine state. */
  readonly cache: LayerCache;
  readonly engineState: string;
}

/**
 * Reads pushed layers and keeps what is found, so that images are indexed as soon as their manifest comes. The store verifies the
 * bytes, so no digest of them is computed a second time. A layer that is known already is not read again.
 */
export function layerObserver({ readLayer, layersAtOnce, cache, engineState }: LayerObserverOptions): LayerObserver {
  /** Asked when it is its turn: by then most uploads are stored whole. What still comes in is read as it comes. */
  const isKnown = async ({ digest }: ReadableUpload): Promise<boolean> => {
    const stored = await Promise.race([digest.catch(() => undefined), nextTurn()]);
    return stored !== undefined && (await cache.find(stored, engineState)) !== undefined;
  };
  return {
    atOnce: layersAtOnce,
    async observe(upload) {
      const { digest: verifiedDigest } = upload;
      if (await isKnown(upload)) return;
      const { record } = await readLayer({
        open: () => upload.open(),
        reopens: true,
        expected: {},
        verifiedDigest,
      });
      await cache.put(record, engineState);
    },
  };
}
