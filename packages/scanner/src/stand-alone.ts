import {
  type Advisory,
  type AdvisorySource,
  advisorySourceOf,
  type Engine,
  type EnrichmentSource,
  type IndexReport,
  matchReport,
  onlyImage,
  type VulnerabilityReport,
} from "@plimsoll/core";
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
import { defaultEngine } from "./default-engine.ts";
import { hostIndexer } from "./host-indexer.ts";

/** How to index without a scanner. */
export interface StandAloneIndexOptions extends IndexOptions {
  readonly engine?: Engine;
  /** Findings of layers to use and to keep; by default every call starts with none. */
  readonly cache?: LayerCache;
  /** What reading one layer may cost, where it differs from {@link defaultLayerBudget}. */
  readonly layerBudget?: Partial<LayerBudget>;
}

/**
 * Says what is in the one image of a source, without any database; of a multi-platform image the one for this machine's
 * architecture, unless the options say otherwise. Layers are read in threads; those of an engine with detectors
 * of its own only where it names its module (`EngineOptions.module`).
 * @throws ScanError when the source cannot be read or holds several images
 * @example
 * const { report } = await index(await parseSource("docker-archive:image.tar"));
 */
export async function index(source: ImageSource, options: StandAloneIndexOptions = {}): Promise<IndexedImage> {
  const { engine = defaultEngine(), cache = memoryLayerCache(), layerBudget } = options;
  const pool = openLayerPool({ engine, budget: layerBudget ?? {} });
  await using indexer = hostIndexer({ engine, cache, pool });
  return await onlyImage(indexer.index(source, { preferredPlatform: hostPlatform(), ...options }), source);
}

/** How to match without a scanner. */
export interface StandAloneMatchOptions {
  readonly engine?: Engine;
  /** Where the engine's enrichers look facts up; without it reports carry none. */
  readonly enrichments?: EnrichmentSource;
}

/**
 * Matches an indexed image with advisories in memory. Does no I/O of its own.
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
  return matchReport(engine, report, { advisories: source, ...(enrichments === undefined ? {} : { enrichments }) });
}
