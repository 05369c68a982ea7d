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
  type ProxySettings,
  type RefusedAddress,
} from "@plimsoll/indexer";
import { systemTime } from "@plimsoll/store";

/** What the indexer of this process works with. */
export interface IndexingOptions {
  readonly engine: Engine;
  readonly store: IndexerStore;
  /** Internal networks that layers may come from. */
  readonly layerNetworks: readonly string[];
  readonly proxy?: ProxySettings;
  /** Told of addresses that layers were not fetched from. */
  readonly onRefused: (refused: RefusedAddress) => void;
}

/** Opens the indexer of this process on what is stored; `resources` closes it. */
export function openIndexing(options: IndexingOptions, resources: AsyncDisposableStack): IndexService {
  const { engine, store, layerNetworks, proxy, onRefused } = options;
  const fetcher = resources.use(
    openLayerFetcher({ guard: addressGuard(layerNetworks), onRefused, ...(proxy && { proxy }) }),
  );
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
