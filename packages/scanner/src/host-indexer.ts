import { availableParallelism } from "node:os";
import type { Engine } from "@plimsoll/core";
import { createIndexer, type Indexer, type LayerCache, type LayerPool } from "@plimsoll/indexer";

/** An indexer with its own threads. */
export interface HostIndexer extends Pick<Indexer, "index">, AsyncDisposable {}

/** The parts of a host indexer. */
export interface HostIndexerOptions {
  readonly engine: Engine;
  readonly cache: LayerCache;
  /** Disposed of with the indexer. */
  readonly pool: LayerPool;
}

/** Creates an indexer that uses all processors of this machine, with one thread per layer. */
export function hostIndexer({ engine, cache, pool }: HostIndexerOptions): HostIndexer {
  const indexer = createIndexer({ engine, cache, readers: pool, layersAtOnce: availableParallelism() });
  return {
    index(source, options) {
      pool.prepare();
      return indexer.index(source, options);
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}
