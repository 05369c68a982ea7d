import type { Engine } from "../engine.ts";
import { ScanError } from "../errors.ts";
import { FindingsRoom } from "../layer/findings-room.ts";
import type { LayerContents } from "../layer/layer-contents.ts";
import type { Digest } from "../model/digest.ts";
import type { Detector, FileEntry } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { filesFor } from "./files-for.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { settleOwners } from "./settle-owners.ts";

/** The name under which problems of the reading itself are kept, beside the detectors'. */
export const layerReader = "layer-reader";

/** The name under which evidence of packages that no detector reads is kept. */
export const evidenceFinder = "evidence-finder";

/** What of an engine finds things in layers. */
export type DetectingEngine = Pick<Engine, "detectors" | "limits"> &
  Partial<Pick<Engine, "fileDetectors" | "fileOwners" | "lockFileDetectors" | "pathDetectors">>;

/**
 * One test for all that look at several files of a layer: whether any of them wants the file.
 * @example
 * const wants = wantedByAny(createEngine({ ecosystems: [dpkg] }));
 */
export function wantedByAny(engine: Pick<DetectingEngine, "detectors" | "fileOwners">): (file: FileEntry) => boolean {
  const all = [...engine.detectors, ...(engine.fileOwners ?? [])];
  return (file) => all.some((each) => each.wants(file));
}

/**
 * Runs every detector over what was kept of a layer. A detector that throws becomes a problem finding; the others go on.
 * @throws ScanError `entry_limit` when there is too much to find
 * @example
 * declare const contents: LayerContents;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const findings = detectLayer(engine, parseDigest(`sha256:${"0".repeat(64)}`), contents);
 */
export function detectLayer(engine: DetectingEngine, digest: Digest, contents: LayerContents): LayerFindings {
  const { detectors, limits, fileOwners = [], pathDetectors = [] } = engine;
  const findings: Record<string, readonly Finding[]> = {};
  if (contents.problems.length > 0) findings[layerReader] = contents.problems;
  if (contents.evidence.length > 0) findings[evidenceFinder] = contents.evidence;
  const room = new FindingsRoom(`layer ${digest}`, limits);
  for (const detector of detectors) {
    const found = runDetector(detector, { digest, contents, room });
    if (found.length > 0) findings[detector.name] = found;
  }
  for (const { name, packages, detect } of pathDetectors) {
    const found = contents.evidence.flatMap((evidence) =>
      evidence.packages === packages ? [...detect(evidence)] : [],
    );
    for (const finding of found) room.add(finding);
    if (found.length > 0) findings[name] = found;
  }
  const inspected = settleOwners(contents.inspected, { fileOwners, contents, installed: findings });
  for (const finding of Object.values(inspected).flat()) room.add(finding);
  Object.assign(findings, inspected);
  return {
    digest,
    findings,
    shape: contents.shape,
    entries: contents.entries,
    uncompressedBytes: contents.uncompressedBytes,
  };
}

interface DetectedLayer {
  readonly digest: Digest;
  readonly contents: LayerContents;
  readonly room: FindingsRoom;
}

/** What a detector finds. */
function runDetector(detector: Detector, { digest, contents, room }: DetectedLayer): Finding[] {
  const files = filesFor(detector, contents);
  if (files.size === 0) return [];
  const found: Finding[] = [];
  try {
    for (const finding of detector.detect(files)) {
      found.push(finding);
      room.add(finding);
    }
  } catch (error) {
    if (error instanceof ScanError && error.code === "entry_limit") throw error;
    const message = error instanceof Error ? error.message : String(error);
    found.push({ kind: "problem", path: digest, code: "detector_failed", message: `${detector.name}: ${message}` });
  }
  return found;
}
