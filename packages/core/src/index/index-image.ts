import pLimit from "p-limit";
import type { Engine } from "../engine.ts";
import { ScanError } from "../errors.ts";
import type {
  BlobLayer,
  ForeignLayer,
  FoundInLayer,
  ImageSource,
  LayerReaders,
  LayerReading,
  SourceImage,
  SourceLayer,
} from "../image/image-source.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexOptions } from "./index-options.ts";
import type { LayerCache } from "./layer-cache.ts";

/** Interfaces that reading the layers of an image needs. */
export interface LayerPorts<Found extends FoundInLayer> {
  readonly engine: Pick<Engine, "limits" | "state">;
  /** Reads layers with the engine's detectors. */
  readonly readers: Pick<LayerReaders<Found>, "readLayer">;
  readonly cache: LayerCache<Found>;
  /** The number of layers that are read at the same time. */
  readonly layersAtOnce: number;
  /** Prevents that several processes read the same layer at once; absent where there is only one. */
  readonly singleFlight?: LayerSingleFlight<Found>;
}

/** Interfaces that indexing an image needs. */
export interface IndexPorts<Found extends FoundInLayer, Report> extends LayerPorts<Found> {
  makeReport(image: ReadImage<Found>, options?: { readonly signal?: AbortSignal }): Promise<Report>;
}

/** An image whose layers were read. */
export interface ReadImage<Found extends FoundInLayer> {
  readonly manifestDigest: Digest;
  /** Base first. */
  readonly layers: readonly ReadImageLayer<Found>[];
}

/** One layer of an image, with its findings if it was read. */
export type ReadImageLayer<Found extends FoundInLayer> =
  | { readonly status: "read"; readonly record: Found }
  | ({ readonly status: "foreign" } & Pick<ForeignLayer, "digest" | "message">);

/**
 * Reads a layer, or waits while another process reads it and returns that process's findings.
 * @param layer `find` returns findings that are stored by now; `read` reads the layer until its signal is aborted
 */
export type LayerSingleFlight<Found extends FoundInLayer> = (layer: {
  readonly digest: Digest;
  find(): Promise<Found | undefined>;
  read(signal: AbortSignal): Promise<Found>;
  readonly signal: AbortSignal;
}) => Promise<Found>;

/**
 * The images of a source, one after the other.
 * @example
 * declare const source: ImageSource;
 * declare const reading: LayerReading<LayerFindings>;
 * for await (const image of openImages(source, reading, { platform: "all" })) console.log(image.reference);
 */
export async function* openImages<Found extends FoundInLayer>(
  source: ImageSource,
  reading: LayerReading<Found>,
  how: IndexOptions,
): AsyncGenerator<SourceImage<Found>> {
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

/**
 * Indexes one image: reads each distinct layer that the cache does not have, and makes the report. All side effects are in the ports.
 * @throws ScanError where a layer cannot be read: there is no partial index of a broken image
 * @example
 * declare const source: ImageSource;
 * declare const ports: IndexPorts<LayerFindings, IndexReport>;
 * declare const reading: LayerReading<LayerFindings>;
 * for await (const image of openImages(source, reading, {})) await indexImage(image, ports);
 */
export async function indexImage<Found extends FoundInLayer, Report>(
  { reference, manifestDigest, layers }: SourceImage<Found>,
  ports: IndexPorts<Found, Report>,
  options: IndexOptions = {},
): Promise<Report> {
  const { maxLayers } = ports.engine.limits;
  if (layers.length > maxLayers) throw tooManyLayers(reference, layers.length, maxLayers);
  const read = await readLayers(layers, ports, options);
  return ports.makeReport({ manifestDigest, layers: read }, options.signal && { signal: options.signal });
}

/**
 * Reads each distinct layer once, the largest first because it takes longest. The first failure aborts the other reads, and this throws
 * only after they have ended.
 */
async function readLayers<Found extends FoundInLayer>(
  layers: readonly SourceLayer<Found>[],
  ports: LayerPorts<Found>,
  options: IndexOptions,
): Promise<readonly ReadImageLayer<Found>[]> {
  const failure = new AbortController();
  const signal = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const limit = concurrencyLimit(ports.layersAtOnce);
  const reads = new Map<Digest, Promise<ReadImageLayer<Found>>>();
  for (const layer of layers.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    if (reads.has(layer.digest)) continue;
    reads.set(
      layer.digest,
      limit((release) => findOrReadLayer(layer, ports, { ...options, signal, onBytesRead: release })),
    );
  }
  try {
    return await Promise.all(layers.map((layer) => reads.get(layer.digest) as Promise<ReadImageLayer<Found>>));
  } catch (error) {
    failure.abort(error);
    await Promise.allSettled(reads.values());
    throw error;
  }
}

/** Runs at most `maxJobs` jobs at the same time. A job may release its place before it has ended, so that the next one starts. */
function concurrencyLimit(maxJobs: number): <T>(run: (release: () => void) => Promise<T>) => Promise<T> {
  const limit = pLimit(maxJobs);
  return (run) => {
    const released = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      void limit(() => {
        run(released.resolve).then(resolve, reject).finally(released.resolve);
        return released.promise;
      });
    });
  };
}

function sizeOf(layer: SourceLayer<FoundInLayer>): number {
  return layer.kind === "blob" ? (layer.expected.sizeBytes ?? 0) : 0;
}

interface Reading extends IndexOptions {
  readonly signal: AbortSignal;
  /** Called when the bytes are read and only the findings remain to be stored: the next layer may be read meanwhile. */
  readonly onBytesRead: () => void;
}

async function findOrReadLayer<Found extends FoundInLayer>(
  layer: SourceLayer<Found>,
  ports: LayerPorts<Found>,
  options: Reading,
): Promise<ReadImageLayer<Found>> {
  options.signal.throwIfAborted();
  if (layer.kind === "foreign") return { status: "foreign", digest: layer.digest, message: layer.message };
  if (layer.kind === "read") return { status: "read", record: layer.record };
  const { digest } = layer;
  const find = () => ports.cache.find(digest, ports.engine.state);
  const known = await find();
  if (known !== undefined) return knownLayer(layer, known, options);
  const { singleFlight } = ports;
  if (singleFlight === undefined) return { status: "read", record: await readBlob(layer, ports, options) };
  const read = (signal: AbortSignal) => readBlob(layer, ports, { ...options, signal });
  return { status: "read", record: await singleFlight({ digest, find, read, signal: options.signal }) };
}

function knownLayer<Found extends FoundInLayer>(
  layer: BlobLayer,
  record: Found,
  { onEvent }: Reading,
): ReadImageLayer<Found> {
  const promised = layer.expected.diffId;
  if (promised !== undefined && record.diffId !== undefined && promised !== record.diffId) {
    throw new ScanError(
      "digest_mismatch",
      `layer ${layer.digest}: expected the diff id ${promised}, found ${record.diffId}`,
    );
  }
  onEvent?.({ kind: "layer-known", digest: layer.digest });
  return { status: "read", record };
}

async function readBlob<Found extends FoundInLayer>(
  layer: BlobLayer,
  { readers, cache, engine }: LayerPorts<Found>,
  options: Reading,
): Promise<Found> {
  const { sizeBytes } = layer.expected;
  options.onEvent?.({ kind: "layer-reading", digest: layer.digest, ...(sizeBytes === undefined ? {} : { sizeBytes }) });
  const read = await readers.readLayer(layer, { signal: options.signal });
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
