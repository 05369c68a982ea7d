import type { Bytes } from "../bytes/bytes.ts";
import type { LayerReader } from "../image/image-source.ts";
import { readLayer } from "../layer/read-layer.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import type { CreateHasher, Decompressors, Scratch } from "../ports.ts";
import { type DetectingEngine, detectLayer, wantedByAny } from "./detect-layer.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** Functions of the platform that reading layers uses. */
export interface LayerPlatform {
  readonly decompressors: Decompressors;
  readonly createHasher: CreateHasher;
  /** Opens room for the large contents of one layer; disposing of it frees the room. */
  openScratch?(): Scratch & Disposable;
}

/**
 * Makes a reader of layers with an engine's detectors. It checks the expected digests and size. Digests that are not known yet are
 * computed, so that an image whose manifest or configuration comes after its layers can be checked too. A layer that can be reopened and
 * has an expected digest is one whose image is known: its diff id is not computed unless it is expected.
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
    const hashed = uncompressed?.wasUsed() === false ? digest : uncompressed?.digest(); // an uncompressed layer has one digest
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
