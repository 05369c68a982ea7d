import type { Digest, Engine } from "@plimsoll/core";
import { type LayerCache, layerReaderFor, nodeDecompressors, nodeHasher } from "@plimsoll/indexer";
import type { LayerObserver } from "@plimsoll/registry-api";

/** Reads layers while they are pushed, so that images are indexed as soon as their manifest comes. */
export interface PushedLayers {
  readonly observer: LayerObserver;
  /** Resolves when what was read of these layers is kept. What could not be read is read again by whoever wants it. */
  settle(digests: readonly Digest[]): Promise<void>;
}

/** Reads pushed layers with an engine and keeps what is found. */
export function readPushedLayers(engine: Engine, layers: LayerCache): PushedLayers {
  const read = layerReaderFor(engine, { decompressors: nodeDecompressors, createHasher: nodeHasher });
  const pending = new Map<string, Promise<void>>();
  return {
    observer: {
      observe(stream) {
        const gone = new AbortController();
        const reading = read({ open: () => stream, reopens: false, expected: {} }, { signal: gone.signal });
        reading.catch(() => {}); // not every blob is a layer, and what is left unread is read later
        return {
          commit(digest) {
            const kept = reading
              .then(async ({ findings }) => {
                if (findings.digest === digest) await layers.put(findings, engine.state);
              })
              .catch(() => {})
              .finally(() => pending.delete(digest));
            pending.set(digest, kept);
          },
          abandon: () => gone.abort(new Error("the upload has not become a blob")),
        };
      },
    },
    async settle(digests) {
      await Promise.all(digests.map((digest) => pending.get(digest)));
    },
  };
}
