import {
  coalesce,
  type Digest,
  type Engine,
  type ImageConfig,
  type ImageLayer,
  type IndexReport,
  type LayerFindings,
  type Platform,
  ScanError,
} from "@plimsoll/core";
import pLimit from "p-limit";
import type { BlobLayer, ImageSource, LayerReaders, LayerReading, SourceImage, SourceLayer } from "./image-source.ts";
import type { LayerCache } from "./layer-cache.ts";

/** What an indexer is made of. */
export interface IndexerOptions {
  readonly engine: Engine;
  /** How layers are read, with the engine's detectors: {@link openLayerPool}, or {@link nodeReaders} for what is trusted. */
  readonly readers: LayerReaders;
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
  find(): Promise<LayerFindings | undefined>;
  read(signal: AbortSignal): Promise<LayerFindings>;
  readonly signal: AbortSignal;
}) => Promise<LayerFindings>;

/** Says what is in images. */
export interface Indexer {
  /**
   * Indexes the images of a source, one after the other, in the source's order.
   * @throws ScanError where the source or a layer cannot be read: there is no partial index of a broken image
   */
  index(source: ImageSource, options?: IndexOptions): AsyncIterable<IndexedImage>;
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
  return {
    async *index(source, how = {}) {
      await using opened = await source.open({ ...reading, ...sourceOptions(how) });
      for (const image of opened.images) {
        how.onEvent?.({ kind: "image-opened", reference: image.reference, layers: image.layers.length });
        yield { source: source.name, ...(await indexImage(image, { ...options, reading }, how)) };
      }
    },
  };
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

async function indexImage(
  image: SourceImage,
  workshop: Workshop,
  options: IndexOptions,
): Promise<Omit<IndexedImage, "source">> {
  const { engine } = workshop;
  if (image.layers.length > engine.limits.maxLayers) throw tooManyLayers(image, engine.limits.maxLayers);
  const { reference, platform, config, manifestDigest } = image;
  return {
    reference,
    ...(platform === undefined ? {} : { platform }),
    ...(config === undefined ? {} : { config }),
    report: coalesce(engine, manifestDigest, await readLayers(image.layers, workshop, options)),
  };
}

/** Reads each distinct layer once, the largest first: they take longest. After the first failure the others are given up, and have ended when this throws. */
async function readLayers(
  layers: readonly SourceLayer[],
  workshop: Workshop,
  options: IndexOptions,
): Promise<ImageLayer[]> {
  const failure = new AbortController();
  const signal = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const atOnce = pLimit(workshop.layersAtOnce);
  const underWay = new Map<Digest, Promise<ImageLayer>>();
  for (const layer of layers.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    if (underWay.has(layer.digest)) continue;
    underWay.set(
      layer.digest,
      atOnce(() => imageLayer(layer, workshop, { ...options, signal })),
    );
  }
  try {
    return await Promise.all(layers.map((layer) => underWay.get(layer.digest) as Promise<ImageLayer>));
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(underWay.values());
    throw error;
  }
}

function sizeOf(layer: SourceLayer): number {
  return layer.kind === "blob" ? (layer.expected.sizeBytes ?? 0) : 0;
}

interface Reading extends IndexOptions {
  readonly signal: AbortSignal;
}

async function imageLayer(layer: SourceLayer, workshop: Workshop, options: Reading): Promise<ImageLayer> {
  options.signal.throwIfAborted();
  if (layer.kind === "foreign") return { status: "foreign", digest: layer.digest, message: layer.message };
  if (layer.kind === "read") return { status: "read", findings: layer.findings };
  const { digest } = layer;
  const find = () => workshop.cache.find(digest, workshop.engine.state);
  const known = await find();
  if (known !== undefined) return knownLayer(layer, known, options);
  const { takeTurn } = workshop;
  if (takeTurn === undefined) return { status: "read", findings: await readLayer(layer, workshop, options) };
  const read = (signal: AbortSignal) => readLayer(layer, workshop, { ...options, signal });
  return { status: "read", findings: await takeTurn({ digest, find, read, signal: options.signal }) };
}

function knownLayer(layer: BlobLayer, findings: LayerFindings, { onEvent }: Reading): ImageLayer {
  const promised = layer.expected.diffId;
  if (promised !== undefined && findings.diffId !== undefined && promised !== findings.diffId) {
    throw new ScanError(
      "digest_mismatch",
      `layer ${layer.digest}: the configuration promises the diff id ${promised}, the content has ${findings.diffId}`,
    );
  }
  onEvent?.({ kind: "layer-known", digest: layer.digest });
  return { status: "read", findings };
}

async function readLayer(
  layer: BlobLayer,
  { reading, cache, engine }: Workshop,
  options: Reading,
): Promise<LayerFindings> {
  const { sizeBytes } = layer.expected;
  options.onEvent?.({ kind: "layer-reading", digest: layer.digest, ...(sizeBytes === undefined ? {} : { sizeBytes }) });
  const read = await reading.readLayer(layer, { signal: options.signal });
  const findings = { ...read.findings, digest: layer.digest };
  options.onEvent?.({ kind: "layer-read", digest: layer.digest, uncompressedBytes: findings.uncompressedBytes });
  await cache.put(findings, engine.state);
  return findings;
}

function tooManyLayers(image: SourceImage, maxLayers: number): ScanError {
  const found = `${image.reference} has ${image.layers.length} layers`;
  return new ScanError("entry_limit", `${found}, more than the ${maxLayers} that the limit maxLayers allows`);
}
