import {
  type Bytes,
  type CreateHasher,
  type Decompressors,
  type DetectingEngine,
  type Digest,
  detectLayer,
  parseDigest,
  readLayer,
  wantedByAny,
} from "@plimsoll/core";
import type { LayerBytes, LayerReader } from "./image-source.ts";
import { formatLayerRecord } from "./layer-record.ts";

/** What reading layers needs of the platform. */
export interface LayerPlatform {
  readonly decompressors: Decompressors;
  readonly createHasher: CreateHasher;
}

/**
 * Reads layers as an engine's detectors want them. Digests that nobody promised are computed on the way, so that an image
 * whose manifest comes after its layers can be checked too.
 */
export function layerReaderFor(engine: DetectingEngine, platform: LayerPlatform): LayerReader {
  const { decompressors, createHasher } = platform;
  const wants = wantedByAny(engine.detectors);
  const readWanted = (layer: LayerBytes, open: () => Bytes, how: Decompressors, signal: AbortSignal | undefined) =>
    readLayer({
      open,
      reopens: layer.reopens,
      expected: layer.expected,
      wants,
      decompressors: how,
      createHasher,
      limits: engine.limits,
      ...(signal === undefined ? {} : { signal }),
    });
  return async (layer, { signal } = {}) => {
    const { expected, verifiedDigest } = layer;
    if (verifiedDigest !== undefined) {
      const contents = await readWanted(layer, () => layer.open(signal), decompressors, signal);
      const digest = await verifiedDigest;
      const record = formatLayerRecord(detectLayer(engine, digest, contents));
      return { record, digest, sizeBytes: contents.sizeBytes };
    }
    const stored = digestTap(createHasher, expected.digest);
    const uncompressed = digestTap(createHasher, expected.diffId);
    const open = () => stored.through(layer.open(signal));
    const contents = await readWanted(layer, open, tapped(decompressors, uncompressed), signal);
    const digest = stored.digest();
    const diffId = uncompressed.wasUsed() ? uncompressed.digest() : (expected.diffId ?? digest);
    const record = formatLayerRecord({ ...detectLayer(engine, digest, contents), diffId });
    return { record, digest, sizeBytes: contents.sizeBytes, diffId };
  };
}

/** Computes the digest of the first stream that goes through it, unless it is promised and checked elsewhere. */
interface DigestTap {
  through(bytes: Bytes): Bytes;
  wasUsed(): boolean;
  digest(): Digest;
}

function digestTap(createHasher: CreateHasher, promised: Digest | undefined): DigestTap {
  const hasher = promised === undefined ? createHasher("sha256") : undefined;
  let used = false;
  return {
    through(bytes) {
      const isFirst = !used;
      used = true;
      return isFirst && hasher !== undefined ? hashed(bytes, hasher) : bytes;
    },
    wasUsed: () => used,
    digest: () => promised ?? parseDigest(`sha256:${hasher?.hex()}`),
  };
}

async function* hashed(bytes: Bytes, hasher: ReturnType<CreateHasher>): Bytes {
  for await (const chunk of bytes) {
    hasher.update(chunk);
    yield chunk;
  }
}

function tapped({ gzip, zstd }: Decompressors, tap: DigestTap): Decompressors {
  return {
    gzip: (source, options) => tap.through(gzip(source, options)),
    ...(zstd === undefined ? {} : { zstd: (source, options) => tap.through(zstd(source, options)) }),
  };
}
