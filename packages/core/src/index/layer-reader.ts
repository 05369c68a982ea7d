import { allEvidenceRules } from "../ecosystems/all-evidence.ts";
import type { LayerReader } from "../image/image-source.ts";
import { readLayer } from "../layer/read-layer.ts";
import type { Digest } from "../model/digest.ts";
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
 */
export function layerReaderFor(engine: DetectingEngine, platform: LayerPlatform): LayerReader<LayerFindings> {
  const { decompressors, createHasher } = platform;
  const wants = wantedByAny(engine);
  return async (layer, { signal } = {}) => {
    const { expected, reopens, verifiedDigest } = layer;
    const promised = verifiedDigest ?? expected.digest;
    const mayBePromisedLater = verifiedDigest === undefined && (promised === undefined || !reopens);
    using scratch = platform.openScratch?.();
    const contents = await readLayer({
      open: () => layer.open(signal),
      reopens,
      parts: layer.parts,
      expected,
      computes: {
        digest: promised === undefined ? "sha256" : undefined,
        diffId: mayBePromisedLater ? "sha256" : undefined,
      },
      wants,
      evidence: engine.evidence ?? allEvidenceRules,
      fileDetectors: [...(engine.fileDetectors ?? []), ...(engine.lockedPackages ?? [])],
      details: engine.details,
      decompressors,
      createHasher,
      limits: engine.limits,
      scratch,
      signal,
    });
    const digest = contents.digest ?? (await (promised as Digest | Promise<Digest>));
    const { diffId } = contents;
    const record = { ...detectLayer(engine, digest, contents), diffId };
    return { record, digest, sizeBytes: contents.sizeBytes, diffId };
  };
}
