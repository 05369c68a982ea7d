import {
  type Advisory,
  type AdvisorySource,
  advisorySourceOf,
  type Engine,
  type IndexReport,
  matchReport,
  type VulnerabilityReport,
} from "@plimsoll/core";
import {
  type ImageSource,
  type IndexedImage,
  type IndexOptions,
  type LayerCache,
  memoryLayerCache,
} from "@plimsoll/indexer";
import { defaultEngine } from "./default-engine.ts";
import { hostIndexer } from "./host-indexer.ts";
import { onlyImage } from "./only-image.ts";

/** How to index without a scanner. */
export interface StandAloneIndexOptions extends IndexOptions {
  readonly engine?: Engine;
  /** Findings of layers to use and to keep; by default every call starts with none. */
  readonly cache?: LayerCache;
}

/**
 * Says what is in the one image of a source, without any database.
 * @throws ScanError when the source cannot be read or holds several images
 */
export function index(source: ImageSource, options: StandAloneIndexOptions = {}): Promise<IndexedImage> {
  const { engine = defaultEngine(), cache = memoryLayerCache() } = options;
  return onlyImage(hostIndexer(engine, cache).index(source, options), source);
}

/** Says what is wrong with an indexed image by advisories at hand. Does no I/O of its own. */
export function match(
  report: IndexReport,
  advisories: readonly Advisory[] | AdvisorySource,
  { engine = defaultEngine() }: { readonly engine?: Engine } = {},
): Promise<VulnerabilityReport> {
  return matchReport(engine, report, "lookup" in advisories ? advisories : advisorySourceOf(advisories));
}
