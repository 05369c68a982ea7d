import type { LayerContents } from "../layer/layer-contents.ts";
import type { Digest } from "../model/digest.ts";
import type { Detector, FileInfo, Finding, LayerFile, LayerFiles } from "../plugins.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** The name under which problems of the reading itself are kept, beside the detectors'. */
export const layerReader = "layer-reader";

/** The name under which evidence of packages that no detector reads is kept. */
export const evidenceFinder = "evidence-finder";

/** One test for all detectors: whether any of them wants the file. */
export function wantedByAny(detectors: readonly Detector[]): (file: FileInfo) => boolean {
  return (file) => detectors.some((detector) => detector.wants(file));
}

/**
 * Runs every detector over what was kept of a layer. A detector that throws becomes a problem finding; the others go on.
 */
export function detectLayer(detectors: readonly Detector[], digest: Digest, contents: LayerContents): LayerFindings {
  const findings: Record<string, readonly Finding[]> = {};
  if (contents.problems.length > 0) findings[layerReader] = contents.problems;
  if (contents.evidence.length > 0) findings[evidenceFinder] = contents.evidence;
  for (const detector of detectors) {
    const found = runDetector(detector, digest, contents);
    if (found.length > 0) findings[detector.name] = found;
  }
  return {
    digest,
    findings,
    shape: contents.shape,
    entries: contents.entries,
    uncompressedBytes: contents.uncompressedBytes,
  };
}

function runDetector(detector: Detector, digest: Digest, contents: LayerContents): Finding[] {
  const files = filesFor(detector, contents);
  if (files.size === 0) return [];
  const found: Finding[] = [];
  try {
    for (const finding of detector.detect(layerFiles(files))) found.push(finding);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    found.push({ kind: "problem", path: digest, code: "detector_failed", message: `${detector.name}: ${message}` });
  }
  return found;
}

function filesFor(detector: Detector, contents: LayerContents): ReadonlyMap<string, LayerFile> {
  const wanted = new Map<string, LayerFile>();
  for (const [path, file] of contents.files) {
    const kind = file.contentPath === path ? "file" : "symbolic-link";
    if (detector.wants({ path, kind, sizeBytes: kind === "file" ? file.bytes.length : 0, mode: file.mode })) {
      wanted.set(path, file);
    }
  }
  return wanted;
}

function layerFiles(files: ReadonlyMap<string, LayerFile>): LayerFiles {
  return { get: (path) => files.get(path), [Symbol.iterator]: () => files.values() };
}
