import type { Bytes } from "../bytes/bytes.ts";
import type { LayerReader } from "../image/image-source.ts";
import { readLayer } from "../layer/read-layer.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { CreateHasher, Decompressors, Scratch } from "../ports.ts";
import { type DetectingEngine, detectLayer, wantedByAny } from "./detect-layer.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** Functions of the platform that reading layers needs. */
export interface LayerPlatform {
  readonly decompressors: Decompressors;
  readonly createHasher: CreateHasher;
  /** Room for the large contents of one layer, until it is disposed of. */
  openScratch?(): Scratch & Disposable;
}

/**
 * Reads layers as an engine's detectors want them. What is promised is checked. If the blob's digest is promised, a diff id is computed
 * only when it is promised too. Digests that may be promised later are computed on the way, so that an image whose manifest or
 * configuration comes after its layers can be checked too.
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const readLayer = layerReaderFor(engine, { decompressors: { gzip: createGunzip() }, createHasher: pureHasher });
 */
export function layerReaderFor(engine: DetectingEngine, platform: LayerPlatform): LayerReader<LayerFindings> {
  const { decompressors, createHasher } = platform;
  const wants = wantedByAny(engine);
  return async (layer, { signal } = {}) => {
    const { expected, reopens, verifiedDigest } = layer;
    const promised = verifiedDigest ?? expected.digest;
    const stored = promised === undefined ? digestTap(createHasher) : undefined;
    const mayBePromisedLater = verifiedDigest === undefined && (promised === undefined || !reopens);
    const uncompressed = expected.diffId === undefined && mayBePromisedLater ? digestTap(createHasher) : undefined;
    const open = () => stored?.through(layer.open(signal)) ?? layer.open(signal);
    using scratch = platform.openScratch?.();
    const contents = await readLayer({
      open,
      reopens,
      expected,
      wants,
      fileDetectors: engine.fileDetectors ?? [],
      decompressors: uncompressed === undefined ? decompressors : tapped(decompressors, uncompressed),
      createHasher,
      limits: engine.limits,
      ...(scratch && { scratch }),
      ...(signal === undefined ? {} : { signal }),
    });
    const digest = stored?.digest() ?? (await (promised as Digest | Promise<Digest>));
    const hashed = uncompressed?.wasUsed() === false ? digest : uncompressed?.digest(); // of plain tar they are one
    const diffId = expected.diffId ?? hashed;
    const known = diffId === undefined ? {} : { diffId };
    const record = { ...detectLayer(engine, digest, contents), ...known };
    return { record, digest, sizeBytes: contents.sizeBytes, ...known };
  };
}

/** Computes the digest of the first stream that goes through it. */
interface DigestTap {
  through(bytes: Bytes): Bytes;
  wasUsed(): boolean;
  digest(): Digest;
}

function digestTap(createHasher: CreateHasher): DigestTap {
  const hasher = createHasher("sha256");
  let used = false;
  return {
    through(bytes) {
      const isFirst = !used;
      used = true;
      return isFirst ? hashed(bytes, hasher) : bytes;
    },
    wasUsed: () => used,
    digest: () => parseDigest(`sha256:${hasher.hex()}`),
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
