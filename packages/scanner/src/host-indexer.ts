import { availableParallelism } from "node:os";
import { allEcosystems, createEngine, type Engine, type EngineOptions } from "@plimsoll/core";
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

/** Creates an engine with all ecosystems of `@plimsoll/core`. */
export function defaultEngine(options: Pick<EngineOptions, "files" | "lookups"> = {}): Engine {
  return createEngine({ ecosystems: allEcosystems, ...options });
}
