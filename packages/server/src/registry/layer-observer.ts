import { createHmac, timingSafeEqual } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { ManifestLayer } from "@plimsoll/core/internal";
import type { FetchLayer, LayerCache, LayerReader } from "@plimsoll/indexer";
import type { BlobStore } from "@plimsoll/registry";
import type { LayerObserver, ReadableUpload } from "@plimsoll/registry-api";

/** Options of {@link layerObserver}. */
interface LayerObserverOptions {
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

/** Lets the indexer read the registry's layers directly from the blob store, without the network. */
export interface BlobLayers {
  /** The address of a layer for the indexer. Its host is reserved (RFC 2606), and it is signed, so that clients cannot create one. */
  addressOf(digest: Digest): string;
  /** Reads such addresses from the store, and passes all others to `next`. */
  fetchFrom(next: FetchLayer): FetchLayer;
}

const prefix = "https://registry.invalid/blobs/";

/** Creates signed addresses for layers in a store, and reads them. */
export function blobLayers(blobs: BlobStore, key: Uint8Array): BlobLayers {
  const sign = (digest: string) => createHmac("sha256", key).update(digest).digest("base64url");
  const isSigned = ({ digest, uri }: ManifestLayer) => {
    const given = Buffer.from(uri.slice(`${prefix}${digest}?`.length));
    const expected = Buffer.from(sign(digest));
    return (
      uri.startsWith(`${prefix}${digest}?`) && given.length === expected.length && timingSafeEqual(given, expected)
    );
  };
  return {
    addressOf: (digest) => `${prefix}${digest}?${sign(digest)}`,
    fetchFrom: (next) => (layer, signal) => {
      if (!layer.uri.startsWith(prefix)) return next(layer, signal);
      if (!isSigned(layer)) throw new ScanError("not_permitted", `layer ${layer.digest}: its address is not signed`);
      return blobs.read(layer.digest);
    },
  };
}
