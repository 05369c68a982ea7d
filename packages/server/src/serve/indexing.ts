import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "@plimsoll/core";
import type { MatchFacts } from "@plimsoll/core/match";
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

/** The parts of the indexer of this process. */
export interface IndexingOptions {
  readonly engine: Engine;
  /** The threads that read layers. */
  readonly readers: ImageReaders;
  readonly store: IndexerStore;
  readonly settings: ServiceSettings;
  /** The registry's layers, if this process has a registry. */
  readonly layers?: BlobLayers;
  /** Coverage and enrichments of reports, if this process knows a matcher. */
  readonly facts?: MatchFacts;
  /** Called for each refused address of a layer. */
  readonly onRefused: (refused: RefusedAddress) => void;
}

/** Opens the indexer of this process; disposing `resources` closes it. */
export function openIndexing(options: IndexingOptions, resources: AsyncDisposableStack): IndexService {
  const { engine, readers, store, settings, layers, facts, onRefused } = options;
  const { layerNetworks, proxy } = settings;
  const timeouts = {
    connectMs: settings.layerConnectSeconds * 1000,
    idleMs: settings.layerIdleSeconds * 1000,
    totalMs: settings.layerTotalSeconds * 1000,
  };
  const fetcher = resources.use(openLayerFetcher({ guard: addressGuard(layerNetworks), timeouts, onRefused, proxy }));
  return resources.use(
    createIndexService({
      engine,
      store,
      fetchLayer: layers?.fetchFrom(fetcher.fetchLayer) ?? fetcher.fetchLayer,
      readers,
      facts,
      layersAtOnce: availableParallelism(),
      leaseSeconds: settings.indexLeaseSeconds,
      clock: systemTime.clock,
      random: systemTime.random,
      sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
    }),
  );
}
