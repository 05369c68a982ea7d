import pLimit from "p-limit";
import { pureHasher } from "../bytes/pure-hasher.ts";
import { ScanError } from "../errors.ts";
import type {
  BlobLayer,
  FoundInLayer,
  ImageSource,
  LayerBytes,
  LayerReading,
  SourceImage,
  SourceLayer,
} from "../image/image-source.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { FilesApart, FilesOfLayer } from "./files-apart.ts";
import type { IndexOptions } from "./index-options.ts";
import type { IndexPorts, LayerPorts, MadeReport, ReadImageLayer } from "./index-ports.ts";
import type { JoinedFiles } from "./join-files.ts";

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
    platform,
    preferredPlatform,
    signal,
  };
}

/**
 * Indexes one image: reads each distinct layer that the cache does not have, and makes the report. If a database and its write-ahead log are in
 * different layers, it reads the two together and makes the report again. All side effects are in the ports.
 * @throws ScanError where a layer cannot be read: there is no partial index of a broken image
 */
export async function indexImage<Found extends FoundInLayer, Made extends MadeReport>(
  { reference, manifestDigest, layers }: SourceImage<Found>,
  ports: IndexPorts<Found, Made>,
  options: IndexOptions = {},
): Promise<Made> {
  const { maxLayers } = ports.engine.limits;
  if (layers.length > maxLayers) throw tooManyLayers(reference, layers.length, maxLayers);
  const read = { manifestDigest, layers: await readLayers(layers, ports, options) };
  const whileWanted = options.signal && { signal: options.signal };
  const made = await ports.makeReport({ ...read, joined: [] }, whileWanted);
  const joined = await readApart(layers, made.apart, { ports, options });
  return joined.length === 0 ? made : ports.makeReport({ ...read, joined }, whileWanted);
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
  options.onEvent?.({ kind: "layer-reading", digest: layer.digest, sizeBytes });
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

/** The largest number of pairs of layers that are read again; an image has one or two. */
const maxPairs = 16;

/**
 * Reads databases again whose write-ahead logs are in other layers, with their logs. The findings are kept in the cache of layers, by the two layers
 * and the paths. Pairs of layers that the source cannot stream again are left out.
 */
async function readApart<Found extends FoundInLayer, Made extends MadeReport>(
  layers: readonly SourceLayer<Found>[],
  apart: readonly FilesApart[],
  { ports, options }: { readonly ports: IndexPorts<Found, Made>; readonly options: IndexOptions },
): Promise<readonly JoinedFiles<Found>[]> {
  const joined: JoinedFiles<Found>[] = [];
  for (const files of apart.slice(0, maxPairs)) {
    const parts = [files.databases, files.logs].flatMap((each) => partOf(each, layers[each.layer]));
    if (parts.length === 2) joined.push({ files, record: await findOrRead(parts, ports, options) });
  }
  return joined;
}

interface Part extends Pick<FilesOfLayer, "paths"> {
  readonly layer: LayerBytes;
  readonly digest: Digest;
}

function partOf({ paths }: FilesOfLayer, layer: SourceLayer<FoundInLayer> | undefined): readonly Part[] {
  const bytes = layer?.kind === "blob" ? layer : layer?.kind === "read" ? layer.again : undefined;
  return layer === undefined || bytes?.reopens !== true ? [] : [{ layer: bytes, paths, digest: layer.digest }];
}

async function findOrRead<Found extends FoundInLayer, Made extends MadeReport>(
  parts: readonly Part[],
  { readers, cache, engine, singleFlight }: IndexPorts<Found, Made>,
  { signal = new AbortController().signal }: IndexOptions,
): Promise<Found> {
  const digest = digestOf(parts);
  const find = () => cache.find(digest, engine.state);
  const read = async (whileHeld: AbortSignal) => {
    const record = await readers.readTogether({ digest, parts }, { signal: whileHeld });
    await cache.put(record, engine.state);
    return record;
  };
  return (await find()) ?? (singleFlight === undefined ? read(signal) : singleFlight({ digest, find, read, signal }));
}

/** Identifies files by their layers and paths. */
function digestOf(parts: readonly Part[]): Digest {
  const hasher = pureHasher("sha256");
  const text = JSON.stringify(["files that belong together", ...parts.map(({ digest, paths }) => [digest, paths])]);
  hasher.update(new TextEncoder().encode(text));
  return parseDigest(`sha256:${hasher.hex()}`);
}
