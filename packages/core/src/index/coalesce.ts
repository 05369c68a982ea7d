import type { Engine } from "../engine.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexReport, UnassessedKind } from "../model/index-report.ts";
import type { EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { Finding } from "../plugins/finding.ts";
import { coverageOf } from "./coverage.ts";
import { evidenceIsRead } from "./evidence-is-read.ts";
import type { ImageLayer } from "./image-layer.ts";
import { allFindings, viewImage } from "./image-view.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { reportMaps } from "./report-maps.ts";

/**
 * Makes the index report of an image from the findings of its layers. Pure and deterministic.
 * @example
 * declare const findings: LayerFindings;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const manifest = parseDigest(`sha256:${"0".repeat(64)}`);
 * const report = coalesce(engine, manifest, [{ status: "read", findings }]);
 */
export function coalesce(engine: Engine, manifestDigest: Digest, layers: readonly ImageLayer[]): IndexReport {
  const findings = layers.map((layer) => (layer.status === "read" ? layer.findings : undefined));
  const image = viewImage(findings);
  const found = engine.ecosystems.map((ecosystem) => {
    const { detectors, fileDetectors = [], lockFileDetectors = [], pathDetectors = [] } = ecosystem;
    const names = new Set(
      [...detectors, ...fileDetectors, ...lockFileDetectors, ...pathDetectors].map(({ name }) => name),
    );
    const own = layers.map((layer) => ecosystemLayer(layer, names));
    const unused = ecosystem.unusedDatabases?.(own, image) ?? new Map<string, UnassessedKind>();
    return { ecosystem, unused, packages: [...(ecosystem.coalesce?.(withoutDatabases(own, unused), image) ?? [])] };
  });
  const unused = new Map(found.flatMap((each) => [...each.unused]));
  const packages = found.flatMap((each) => each.packages);
  const names = new Set(found.filter((each) => each.packages.length > 0).map(({ ecosystem }) => ecosystem.name));
  const assessed = { found: names, unused, reads: evidenceIsRead(found, lockedIn(findings, image)) };
  return {
    manifestDigest,
    state: "IndexFinished",
    success: true,
    ...reportMaps(packages, findings),
    coverage: coverageOf({ layers, packages, image }, assessed),
  };
}

/** What the lock files of the finished image list, by path. */
function lockedIn(
  layers: readonly (LayerFindings | undefined)[],
  image: ImageView,
): ReadonlyMap<string, readonly string[]> {
  const locked = new Map<string, readonly string[]>();
  for (const [index, layer] of layers.entries()) {
    for (const finding of allFindings(layer)) {
      if (finding.kind === "locked" && image.survives(finding.path, index)) locked.set(finding.path, finding.packages);
    }
  }
  return locked;
}

function withoutDatabases(
  layers: readonly EcosystemLayer[],
  unused: ReadonlyMap<string, UnassessedKind>,
): readonly EcosystemLayer[] {
  if (unused.size === 0) return layers;
  const isUsed = (finding: Finding) => finding.kind !== "package" || !unused.has(finding.packageDb);
  return layers.map((layer) => ({ ...layer, findings: layer.findings.filter(isUsed) }));
}

function ecosystemLayer(layer: ImageLayer, detectors: ReadonlySet<string>): EcosystemLayer {
  if (layer.status !== "read") return { digest: layer.digest, findings: [] };
  const { digest, findings } = layer.findings;
  const own = Object.entries(findings).filter(([name]) => detectors.has(name));
  return { digest, findings: own.flatMap(([, found]) => found) };
}
