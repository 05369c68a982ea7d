import type { Engine } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import {
  type IndexedImage,
  type IndexOptions,
  indexImage,
  type LayerSingleFlight,
  openImages,
  type ReadImage,
} from "@plimsoll/core/internal";
import type { RecordedImage, ReportRecord } from "./make-report.ts";
import type { ImageReaders, LayerCache } from "./ports.ts";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";
import type { LayerRecord } from "./values/layer-record.ts";
import { parseReport } from "./values/parse-report.ts";

/** Options of `createIndexer`. */
export interface IndexerOptions {
  readonly engine: Engine;
  /** Reads layers with the engine's detectors: {@link openLayerPool}, or {@link nodeReaders} for trusted images. */
  readonly readers: ImageReaders;
  readonly cache: LayerCache;
  /** The number of layers that are read at the same time. */
  readonly layersAtOnce: number;
  /** Prevents several processes from reading the same layer at the same time. Absent: there is only one process. */
  readonly singleFlight?: LayerSingleFlight<LayerRecord>;
}

/** A report with what it was made of. */
export interface IndexedRecord extends ReportRecord {
  /** The digests of the cached findings in files of different layers that were read together. */
  readonly together: readonly Digest[];
}

/** Indexes images. */
export interface Indexer {
  /**
   * Indexes the images of a source one after the other, in the source's order.
   * @throws ScanError if the source or a layer cannot be read: a broken image has no partial report
   */
  index(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
  /** As {@link index}, but with reports as text, and with their records for the reverse index. */
  record(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedRecord>;
}

/**
 * Creates an indexer.
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * await using readers = openLayerPool({ engine });
 * const indexer = createIndexer({ engine, readers, cache: memoryLayerCache(), layersAtOnce: 2 });
 * for await (const { report } of indexer.index(await parseSource("nginx:1.27"))) console.log(report.packages);
 */
export function createIndexer(options: IndexerOptions): Indexer {
  const { engine, readers } = options;
  const reading = { ...readers, limits: engine.limits };
  const portsFor = (purpose: RecordedImage["purpose"]) => ({
    ...options,
    makeReport: async (image: ReadImage<LayerRecord>, given?: { readonly signal?: AbortSignal }) => ({
      ...(await readers.makeReport({ ...image, purpose }, given)),
      together: image.joined.map(({ record }) => record.digest),
    }),
  });
  return {
    async *index(source, how = {}) {
      for await (const image of openImages(source, reading, how)) {
        const { reference, platform, config, isFolder } = image;
        const report = image.listed ?? (await parseReport((await indexImage(image, portsFor("report"), how)).report));
        yield {
          source: source.name,
          reference,
          platform,
          config,
          isFolder,
          report,
        };
      }
    },
    async *record(source, how = {}) {
      for await (const image of openImages(source, reading, how)) {
        const { listed } = image;
        if (listed === undefined) yield indexImage(image, portsFor("index"), how);
        else
          yield {
            report: formatReport(listed),
            records: recordsToIndex(engine, listed).records,
            apart: [],
            together: [],
          };
      }
    },
  };
}
