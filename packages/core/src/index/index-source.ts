import { pureHasher } from "../bytes/pure-hasher.ts";
import type { Engine } from "../engine.ts";
import { ScanError } from "../errors.ts";
import type { ImageSource, LayerReaders } from "../image/image-source.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import { coalesce } from "./coalesce.ts";
import { filesApart } from "./files-apart.ts";
import { indexImage, openImages } from "./index-image.ts";
import type { IndexedImage, IndexOptions } from "./index-options.ts";
import type { ReadImage } from "./index-ports.ts";
import { joinFiles } from "./join-files.ts";
import { boundlessLayerCache, type LayerCache } from "./layer-cache.ts";
import type { ImageLayer, LayerFindings } from "./layer-findings.ts";
import { type LayerPlatform, layerReaderFor } from "./layer-reader.ts";
import { togetherReaderFor } from "./together-reader.ts";

const pureLayerPlatform = (): LayerPlatform => ({ decompressors: { gzip: createGunzip() }, createHasher: pureHasher });

/**
 * Indexes the images of a source in the calling thread. Works in browsers, workers and Node. Only the caller's signal limits the
 * time, so read untrusted images in a worker.
 *
 * @example
 * declare const file: File;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * for await (const { reference, report } of indexSource(engine, fromArchiveBlob(file))) {
 *   console.log(reference, Object.values(report.packages).length);
 * }
 * @throws ScanError where the source or a layer cannot be read, `unsupported_compression` for zstd unless `using` has it
 */
export async function* indexSource(
  engine: Engine,
  source: ImageSource,
  options: IndexOptions & {
    /** Findings of known layers, and where new ones are stored; by default every call starts with an empty cache. */
    readonly cache?: LayerCache<LayerFindings>;
    /** Decompressors and hashers. By default gzip in WebAssembly and digests in JavaScript. @internal */
    readonly using?: LayerPlatform;
  } = {},
): AsyncGenerator<IndexedImage> {
  const { using = pureLayerPlatform(), cache = boundlessLayerCache(), ...how } = options;
  const readers = readersOf(engine, using);
  const ports = {
    engine,
    readers,
    cache,
    layersAtOnce: 1, // there is one thread
    makeReport: async ({ manifestDigest, layers, joined }: ReadImage<LayerFindings>) => {
      const found = layers.map(
        (layer): ImageLayer => (layer.status === "read" ? { status: "read", findings: layer.record } : layer),
      );
      const { apart } = filesApart(found);
      return { report: coalesce(engine, manifestDigest, joinFiles(found, joined)), apart };
    },
  };
  for await (const image of openImages(source, { ...readers, limits: engine.limits }, how)) {
    const { reference, platform, config } = image;
    const report = image.listed ?? (await indexImage(image, ports, how)).report;
    yield {
      source: source.name,
      reference,
      platform,
      config,
      report,
    };
  }
}

function readersOf(engine: Engine, platform: LayerPlatform): LayerReaders<LayerFindings> {
  return {
    readLayer: layerReaderFor(engine, platform),
    readTogether: togetherReaderFor(engine, platform),
    readFolder: async (folder) => {
      throw new ScanError("unsupported_source", `${folder}: folders are read by the indexer's layer pool`);
    },
    decompressors: platform.decompressors,
  };
}
