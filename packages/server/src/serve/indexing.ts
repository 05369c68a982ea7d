import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Engine, MatchFacts } from "@plimsoll/core";
import {
  createIndexService,
  type ImageReaders,
  type IndexerStore,
  type IndexService,
  openLayerFetcher,
} from "@plimsoll/indexer";
import { addressGuard, type RefusedAddress } from "@plimsoll/outbound";
import { systemTime } from "@plimsoll/store";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { BlobLayers } from "../registry/blob-layers.ts";

/** What the indexer of this process works with. */
export interface IndexingOptions {
  readonly engine: Engine;
  /** What layers are read with. */
  readonly readers: ImageReaders;
  readonly store: IndexerStore;
  readonly settings: ServiceSettings;
  /** The registry's own layers, where this process knows a registry. */
  readonly layers?: BlobLayers;
  /** What reports are made with besides advisories, where this process knows a matcher. */
  readonly facts?: MatchFacts;
  /** Told of addresses that layers were not fetched from. */
  readonly onRefused: (refused: RefusedAddress) => void;
}

/** Opens the indexer of this process on what is stored; `resources` closes it. */
export function openIndexing(options: IndexingOptions, resources: AsyncDisposableStack): IndexService {
  const { engine, readers, store, settings, layers, facts, onRefused } = options;
  const { layerNetworks, proxy } = settings;
  const timeouts = {
    connectMs: settings.layerConnectSeconds * 1000,
    idleMs: settings.layerIdleSeconds * 1000,
    totalMs: settings.layerTotalSeconds * 1000,
  };
  const fetcher = resources.use(
    openLayerFetcher({ guard: addressGuard(layerNetworks), timeouts, onRefused, ...(proxy && { proxy }) }),
  );
  return resources.use(
    createIndexService({
      engine,
      store,
      fetchLayer: layers?.fetchFrom(fetcher.fetchLayer) ?? fetcher.fetchLayer,
      readers,
      ...(facts && { facts }),
      layersAtOnce: availableParallelism(),
      leaseSeconds: settings.indexLeaseSeconds,
      clock: systemTime.clock,
      random: systemTime.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
    }),
  );
}
