import {
  type Advisory,
  type AdvisorySource,
  advisorySourceOf,
  type Engine,
  type IndexReport,
  matchReport,
  onlyImage,
  type VulnerabilityReport,
} from "@plimsoll/core";
import type { EnrichmentSource } from "@plimsoll/core/internal";
import {
  type ImageSource,
  type IndexedImage,
  type IndexOptions,
  type LayerBudget,
  type LayerCache,
  memoryLayerCache,
  openLayerPool,
} from "@plimsoll/indexer";
import { hostPlatform } from "./adapters/host-platform.ts";
import { defaultEngine, hostIndexer } from "./host-indexer.ts";

/** Options of `index`. */
export interface StandAloneIndexOptions extends IndexOptions {
  readonly engine?: Engine;
  /** The cache for results of layers; by default every call starts with an empty one. */
  readonly cache?: LayerCache;
  /** Limits for reading one layer that replace those of {@link defaultLayerBudget}. */
  readonly layerBudget?: Partial<LayerBudget>;
}

/**
 * Indexes the only image of a source without a database; for a multi-platform image, the one for this machine's architecture unless the
 * options name another platform. Layers are read in threads; for an engine with custom detectors only if it names its module
 * (`EngineOptions.module`).
 * @throws ScanError if the source cannot be read or has several images
 * @example
 * const { report } = await index(await parseSource("docker-archive:image.tar"));
 */
export async function index(source: ImageSource, options: StandAloneIndexOptions = {}): Promise<IndexedImage> {
  const { engine = defaultEngine(), cache = memoryLayerCache(), layerBudget } = options;
  const pool = openLayerPool({ engine, budget: layerBudget ?? {} });
  await using indexer = hostIndexer({ engine, cache, pool });
  return await onlyImage(
    indexer.index(source, { ...options, preferredPlatform: options.preferredPlatform ?? hostPlatform() }),
    source,
  );
}

/** Options of `match`. */
export interface StandAloneMatchOptions {
  readonly engine?: Engine;
  /** The source of facts for the engine's enrichers; without it reports have no enrichments. */
  readonly enrichments?: EnrichmentSource;
}

/**
 * Matches an indexed image against advisories in memory. Does no I/O of its own.
 * @example
 * declare const report: IndexReport;
 * declare const advisories: AdvisorySource;
 * const found = await match(report, advisories);
 */
export function match(
  report: IndexReport,
  advisories: readonly Advisory[] | AdvisorySource,
  { engine = defaultEngine(), enrichments }: StandAloneMatchOptions = {},
): Promise<VulnerabilityReport> {
  const source = "lookup" in advisories ? advisories : advisorySourceOf(advisories);
  return matchReport(engine, report, { advisories: source, enrichments });
}
