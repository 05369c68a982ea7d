import { setImmediate as nextTurn } from "node:timers/promises";
import type { LayerCache, LayerReader } from "@plimsoll/indexer";
import type { LayerObserver, ReadableUpload } from "@plimsoll/registry-api";

/** Options of {@link layerObserver}. */
export interface LayerObserverOptions {
  readonly readLayer: LayerReader;
  /** Layers read at the same time. */
  readonly layersAtOnce: number;
  /** The cache of findings. */
  readonly cache: LayerCache;
  readonly engineState: string;
}

/**
 * Reads pushed layers and caches their findings, so that an image is indexed as soon as its manifest is pushed. The store verifies the
 * bytes, so their digest is not computed again. A layer with cached findings is not read again.
 */
export function layerObserver({ readLayer, layersAtOnce, cache, engineState }: LayerObserverOptions): LayerObserver {
  /** Called when a thread is free: by then most uploads are complete. An incomplete upload has no digest yet, and is read while it arrives. */
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
