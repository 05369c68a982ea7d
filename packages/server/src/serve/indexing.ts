import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "@plimsoll/core";
import {
  addressGuard,
  createIndexService,
  type IndexerStore,
  type IndexService,
  nodeDecompressors,
  nodeHasher,
  openLayerFetcher,
} from "@plimsoll/indexer";
import { systemTime } from "@plimsoll/store";

/** What the indexer of this process works with. */
export interface IndexingOptions {
  readonly engine: Engine;
  readonly store: IndexerStore;
  /** Internal networks that layers may come from. */
  readonly layerNetworks: readonly string[];
}

/** Opens the indexer of this process on what is stored; `resources` closes it. */
export function openIndexing(options: IndexingOptions, resources: AsyncDisposableStack): IndexService {
  const { engine, store, layerNetworks } = options;
  const fetcher = resources.use(openLayerFetcher({ guard: addressGuard(layerNetworks) }));
  return resources.use(
    createIndexService({
      engine,
      store,
      fetchLayer: fetcher.fetchLayer,
      decompressors: nodeDecompressors,
      createHasher: nodeHasher,
      layersAtOnce: availableParallelism(),
      clock: systemTime.clock,
      random: systemTime.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
    }),
  );
}
