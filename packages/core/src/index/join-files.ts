import type { LayerShape } from "../layer/layer-contents.ts";
import { hashPath } from "../layer/path-hash.ts";
import { pathSetOf } from "../layer/path-set.ts";
import type { Finding } from "../plugins/finding.ts";
import type { FilesApart } from "./files-apart.ts";
import type { ImageLayer, LayerFindings } from "./layer-findings.ts";

/** Files of two layers, and what the detectors have found in them together. */
export interface JoinedFiles<Found = LayerFindings> {
  readonly files: FilesApart;
  readonly record: Found;
}

/**
 * The layers of an image as if the upper one of two layers had the files of both: what was found in them together replaces what was found in them
 * alone.
 * @example
 * declare const layers: readonly ImageLayer[];
 * declare const joined: readonly JoinedFiles[];
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const report = coalesce(engine, parseDigest(`sha256:${"0".repeat(64)}`), joinFiles(layers, joined));
 */
export function joinFiles(layers: readonly ImageLayer[], joined: readonly JoinedFiles[]): readonly ImageLayer[] {
  const merged = [...layers];
  for (const { files, record } of joined) {
    const at = upperLayer(files);
    const layer = merged[at];
    if (layer?.status !== "read") continue;
    merged[at] = { status: "read", findings: withFindings(layer.findings, record, pathsOf(files)) };
  }
  return merged;
}

function upperLayer({ databases, logs }: FilesApart): number {
  return Math.max(databases.layer, logs.layer);
}

function pathsOf({ databases, logs }: FilesApart): readonly string[] {
  return [...databases.paths, ...logs.paths];
}

function withFindings(layer: LayerFindings, together: LayerFindings, paths: readonly string[]): LayerFindings {
  const replaced = new Set(paths);
  const findings: Record<string, readonly Finding[]> = {};
  for (const [name, own] of Object.entries(layer.findings)) {
    findings[name] = own.filter((finding) => !isOf(finding, replaced));
  }
  for (const [name, found] of Object.entries(together.findings)) {
    findings[name] = [...(findings[name] ?? []), ...found];
  }
  return { ...layer, findings, shape: withLeaves(layer.shape, paths) };
}

function isOf(finding: Finding, paths: ReadonlySet<string>): boolean {
  return paths.has(finding.kind === "package" ? finding.packageDb : finding.path);
}

/** The shape of a layer that also has these files: it hides the copies below. */
function withLeaves(shape: LayerShape, paths: readonly string[]): LayerShape {
  const added = paths.filter((path) => !shape.leaves.has(path)).map(hashPath);
  const hashes = new Float64Array(shape.leaves.hashes.length + added.length);
  hashes.set(shape.leaves.hashes);
  hashes.set(added, shape.leaves.hashes.length);
  return { ...shape, leaves: pathSetOf(hashes) };
}
