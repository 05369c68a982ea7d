import { type Digest, type Engine, type ImageConfig, type IndexReport, type Platform, ScanError } from "@plimsoll/core";
import pLimit from "p-limit";
import type { BlobLayer, ImageReaders, ImageSource, LayerReading, SourceImage, SourceLayer } from "./image-source.ts";
import type { LayerCache } from "./layer-cache.ts";
import type { LayerRecord } from "./layer-record.ts";
import type { RecordedImage, RecordedLayer, ReportRecord } from "./make-report.ts";
import { parseReport } from "./parse-report.ts";

/** What an indexer is made of. */
export interface IndexerOptions {
  readonly engine: Engine;
  /** How layers are read, with the engine's detectors: {@link openLayerPool}, or {@link nodeReaders} for what is trusted. */
  readonly readers: ImageReaders;
  readonly cache: LayerCache;
  /** Layers read at the same time. */
  readonly layersAtOnce: number;
  /** Keeps others from reading the same layer meanwhile; absent where there are no others. */
  readonly takeTurn?: TakeLayerTurn;
}

/**
 * Reads a layer, unless somebody else has done so when it is our turn.
 * @param layer names the layer, says what is known of it by now, and reads it until its signal is aborted
 */
export type TakeLayerTurn = (layer: {
  readonly digest: Digest;
  find(): Promise<LayerRecord | undefined>;
  read(signal: AbortSignal): Promise<LayerRecord>;
  readonly signal: AbortSignal;
}) => Promise<LayerRecord>;

/** Says what is in images. */
export interface Indexer {
  /**
   * Indexes the images of a source, one after the other, in the source's order.
   * @throws ScanError where the source or a layer cannot be read: there is no partial index of a broken image
   */
  index(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
  /** As {@link index}, but gives reports as text, and with it what they are looked for by. */
  record(source: ImageSource, options?: IndexOptions): AsyncIterable<ReportRecord>;
}

/** How to index. */
export interface IndexOptions {
  /** Whose image to take of several; `"all"` for every one. */
  readonly platform?: Platform | "all";
  /** Which image to take of several where `platform` is absent. */
  readonly preferredPlatform?: Platform;
  readonly onEvent?: (event: IndexEvent) => void;
  readonly signal?: AbortSignal;
}

/** What indexing is doing. */
export type IndexEvent =
  | { readonly kind: "image-opened"; readonly reference: string; readonly layers: number }
  | { readonly kind: "layer-known"; readonly digest: Digest }
  | { readonly kind: "layer-reading"; readonly digest: Digest; readonly sizeBytes?: number }
  | { readonly kind: "layer-read"; readonly digest: Digest; readonly uncompressedBytes: number };

/** One image with what is in it. */
export interface IndexedImage {
  /** The source's name. */
  readonly source: string;
  /** The name the image goes by in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  readonly report: IndexReport;
}

/** Puts an indexer together. */
export function createIndexer(options: IndexerOptions): Indexer {
  const reading: LayerReading = { ...options.readers, limits: options.engine.limits };
  const workshop = { ...options, reading };
  return {
    async *index(source, how = {}) {
      for await (const image of openImages(source, workshop, how)) {
        const { reference, platform, config } = image;
        const { report } = await recordImage(image, workshop, { ...how, purpose: "report" });
        yield {
          source: source.name,
          reference,
          ...(platform === undefined ? {} : { platform }),
          ...(config === undefined ? {} : { config }),
          report: await parseReport(report),
        };
      }
    },
    async *record(source, how = {}) {
      for await (const image of openImages(source, workshop, how)) {
        yield recordImage(image, workshop, { ...how, purpose: "index" });
      }
    },
  };
}

async function* openImages(source: ImageSource, { reading }: Workshop, how: IndexOptions): AsyncGenerator<SourceImage> {
  await using opened = await source.open({ ...reading, ...sourceOptions(how) });
  for (const image of opened.images) {
    how.onEvent?.({ kind: "image-opened", reference: image.reference, layers: image.layers.length });
    yield image;
  }
}

function sourceOptions({ platform, preferredPlatform, signal }: IndexOptions) {
  return {
    ...(platform === undefined ? {} : { platform }),
    ...(preferredPlatform === undefined ? {} : { preferredPlatform }),
    ...(signal === undefined ? {} : { signal }),
  };
}

interface Workshop extends IndexerOptions {
  readonly reading: LayerReading;
}

async function recordImage(
  { reference, manifestDigest, layers }: SourceImage,
  workshop: Workshop,
  { purpose, ...options }: IndexOptions & Pick<RecordedImage, "purpose">,
): Promise<ReportRecord> {
  const { maxLayers } = workshop.engine.limits;
  if (layers.length > maxLayers) throw tooManyLayers(reference, layers.length, maxLayers);
  const read = await readLayers(layers, workshop, options);
  const image = { manifestDigest, layers: read, purpose };
  return workshop.readers.makeReport(image, options.signal && { signal: options.signal });
}

/** Reads each distinct layer once, the largest first: they take longest. After the first failure the others are given up, and have ended when this throws. */
async function readLayers(
  layers: readonly SourceLayer[],
  workshop: Workshop,
  options: IndexOptions,
): Promise<RecordedLayer[]> {
  const failure = new AbortController();
  const signal = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const atOnce = placesFor(workshop.layersAtOnce);
  const underWay = new Map<Digest, Promise<RecordedLayer>>();
  for (const layer of layers.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    if (underWay.has(layer.digest)) continue;
    underWay.set(
      layer.digest,
      atOnce((leave) => imageLayer(layer, workshop, { ...options, signal, onBytesRead: leave })),
    );
  }
  try {
    return await Promise.all(layers.map((layer) => underWay.get(layer.digest) as Promise<RecordedLayer>));
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(underWay.values());
    throw error;
  }
}

/** Runs so many jobs at the same time. A job may leave its place to the next one before it has ended. */
function placesFor(jobs: number): <T>(run: (leave: () => void) => Promise<T>) => Promise<T> {
  const atOnce = pLimit(jobs);
  return (run) => {
    const left = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      void atOnce(() => {
        run(left.resolve).then(resolve, reject).finally(left.resolve);
        return left.promise;
      });
    });
  };
}

function sizeOf(layer: SourceLayer): number {
  return layer.kind === "blob" ? (layer.expected.sizeBytes ?? 0) : 0;
}

interface Reading extends IndexOptions {
  readonly signal: AbortSignal;
  /** What was found is still to be stored: the next layer may be read meanwhile. */
  readonly onBytesRead: () => void;
}

async function imageLayer(layer: SourceLayer, workshop: Workshop, options: Reading): Promise<RecordedLayer> {
  options.signal.throwIfAborted();
  if (layer.kind === "foreign") return { status: "foreign", digest: layer.digest, message: layer.message };
  if (layer.kind === "read") return { status: "read", record: layer.record };
  const { digest } = layer;
  const find = () => workshop.cache.find(digest, workshop.engine.state);
  const known = await find();
  if (known !== undefined) return knownLayer(layer, known, options);
  const { takeTurn } = workshop;
  if (takeTurn === undefined) return { status: "read", record: await readLayer(layer, workshop, options) };
  const read = (signal: AbortSignal) => readLayer(layer, workshop, { ...options, signal });
  return { status: "read", record: await takeTurn({ digest, find, read, signal: options.signal }) };
}

function knownLayer(layer: BlobLayer, record: LayerRecord, { onEvent }: Reading): RecordedLayer {
  const promised = layer.expected.diffId;
  if (promised !== undefined && record.diffId !== undefined && promised !== record.diffId) {
    throw new ScanError(
      "digest_mismatch",
      `layer ${layer.digest}: the configuration promises the diff id ${promised}, the content has ${record.diffId}`,
    );
  }
  onEvent?.({ kind: "layer-known", digest: layer.digest });
  return { status: "read", record };
}

async function readLayer(
  layer: BlobLayer,
  { reading, cache, engine }: Workshop,
  options: Reading,
): Promise<LayerRecord> {
  const { sizeBytes } = layer.expected;
  options.onEvent?.({ kind: "layer-reading", digest: layer.digest, ...(sizeBytes === undefined ? {} : { sizeBytes }) });
  const read = await reading.readLayer(layer, { signal: options.signal });
  options.onBytesRead();
  const record = { ...read.record, digest: layer.digest };
  options.onEvent?.({ kind: "layer-read", digest: layer.digest, uncompressedBytes: record.uncompressedBytes });
  await cache.put(record, engine.state);
  return record;
}

function tooManyLayers(reference: string, layers: number, maxLayers: number): ScanError {
  const found = `${reference} has ${layers} layers`;
  return new ScanError("entry_limit", `${found}, more than the ${maxLayers} that the limit maxLayers allows`);
}
