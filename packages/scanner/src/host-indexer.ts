import { availableParallelism } from "node:os";
import type { Engine } from "@plimsoll/core";
import { createIndexer, type Indexer, type LayerCache, type LayerPool } from "@plimsoll/indexer";

/** An indexer with threads of its own. */
export interface HostIndexer extends Pick<Indexer, "index">, AsyncDisposable {}

/** What a host indexer is made of. */
export interface HostIndexerOptions {
  readonly engine: Engine;
  readonly cache: LayerCache;
  /** Disposed with the indexer. */
  readonly pool: LayerPool;
}

/** An indexer that uses this machine as it is, with all its processors: a layer a thread. */
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
