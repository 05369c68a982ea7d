import {
  type Bytes,
  type CreateHasher,
  type Decompressors,
  type DetectingEngine,
  type Digest,
  detectLayer,
  parseDigest,
  type ReadLayerOptions,
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
 * Reads layers as an engine's detectors want them. What is promised is checked. The digest of a blob fixes its bytes: where it is
 * promised, no diff id is computed that is not. Digests that may be promised later are computed on the way, so that an image
 * whose manifest or configuration comes after its layers can be checked too.
 */
export function layerReaderFor(engine: DetectingEngine, platform: LayerPlatform): LayerReader {
  const { decompressors, createHasher } = platform;
  const wants = wantedByAny(engine.detectors);
  const readWanted = (layer: LayerBytes, how: Partial<ReadLayerOptions>, signal: AbortSignal | undefined) =>
    readLayer({
      open: () => layer.open(signal),
      reopens: layer.reopens,
      expected: layer.expected,
      wants,
      decompressors,
      createHasher,
      limits: engine.limits,
      ...how,
      ...(signal === undefined ? {} : { signal }),
    });
  return async (layer, { signal } = {}) => {
    const { digest: promisedDigest, diffId: promisedDiffId } = layer.expected;
    const promised = layer.verifiedDigest ?? promisedDigest;
    if (promised !== undefined) {
      const mayComeLater = !layer.reopens && layer.verifiedDigest === undefined; // the configuration, in an archive that passes
      const tap = promisedDiffId === undefined && mayComeLater ? digestTap(createHasher) : undefined;
      const how = tap === undefined ? {} : { decompressors: tapped(decompressors, tap) };
      const contents = await readWanted(layer, how, signal);
      const digest = await promised;
      const diffId = tap === undefined ? promisedDiffId : tap.wasUsed() ? tap.digest() : digest;
      const hashed = diffId === undefined ? {} : { diffId };
      const record = formatLayerRecord({ ...detectLayer(engine, digest, contents), ...hashed });
      return { record, digest, sizeBytes: contents.sizeBytes, ...hashed };
    }
    const stored = digestTap(createHasher);
    const uncompressed = digestTap(createHasher, promisedDiffId);
    const open = () => stored.through(layer.open(signal));
    const contents = await readWanted(layer, { open, decompressors: tapped(decompressors, uncompressed) }, signal);
    const digest = stored.digest();
    const diffId = uncompressed.wasUsed() ? uncompressed.digest() : (promisedDiffId ?? digest);
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

function digestTap(createHasher: CreateHasher, promised?: Digest): DigestTap {
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
