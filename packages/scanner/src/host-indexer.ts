import { availableParallelism } from "node:os";
import type { Engine } from "@plimsoll/core";
import { createIndexer, type Indexer, type LayerCache, nodeDecompressors, nodeHasher } from "@plimsoll/indexer";

/** An indexer that uses this machine as it is: its decompressors and all its processors. */
export function hostIndexer(engine: Engine, cache: LayerCache): Indexer {
  return createIndexer({
    engine,
    cache,
    decompressors: nodeDecompressors,
    createHasher: nodeHasher,
    layersAtOnce: availableParallelism(),
  });
}
