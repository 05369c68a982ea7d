import type { Engine } from "../engine.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexReport, UnassessedKind } from "../model/index-report.ts";
import type { EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import type { Finding } from "../plugins/finding.ts";
import { coverageOf } from "./coverage.ts";
import { evidenceIsRead } from "./evidence-is-read.ts";
import type { ImageLayer } from "./image-layer.ts";
import { viewImage } from "./image-view.ts";
import { fileOf, fileOwnersOf } from "./owned-files.ts";
import { projectFilesIn } from "./project-files.ts";
import { reportMaps } from "./report-maps.ts";
import { unreadLinks } from "./unread-links.ts";

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
  const view = viewImage(findings);
  const { stale, problems } = unreadLinks(engine, findings, view);
  const { found, image } = packagesOf(engine.ecosystems, withoutFiles(layers, stale), view);
  const unused = new Map(found.flatMap((each) => [...each.unused]));
  const packages = found.flatMap((each) => each.packages);
  const names = new Set(found.filter((each) => each.packages.length > 0).map(({ ecosystem }) => ecosystem.name));
  const assessed = {
    found: names,
    unused,
    reads: evidenceIsRead(found, projectFilesIn(findings, image, engine.evidence), engine.evidence),
  };
  return {
    manifestDigest,
    state: "IndexFinished",
    success: true,
    ...reportMaps(packages, findings),
    coverage: coverageOf({ layers, packages, image, problems }, assessed),
  };
}

/** The layers without what was found in these files of each. */
function withoutFiles(layers: readonly ImageLayer[], files: readonly ReadonlySet<string>[]): readonly ImageLayer[] {
  if (files.every(({ size }) => size === 0)) return layers;
  return layers.map((layer, index) => {
    if (layer.status !== "read") return layer;
    const isKept = (finding: Finding) => finding.kind !== "package" || files[index]?.has(fileOf(finding)) !== true;
    const kept = Object.entries(layer.findings.findings).map(([name, found]) => [name, found.filter(isKept)] as const);
    return { ...layer, findings: { ...layer.findings, findings: Object.fromEntries(kept) } };
  });
}

/** The packages of each ecosystem in the finished image. Those of operating systems come first, since they own files of the others. */
function packagesOf(ecosystems: readonly Ecosystem[], layers: readonly ImageLayer[], view: ImageView) {
  const systems = new Map(
    ecosystems
      .filter(({ fileOwners = [] }) => fileOwners.length > 0)
      .map((ecosystem) => [ecosystem, packagesIn(ecosystem, layers, view)] as const),
  );
  const findings = layers.map((layer) => (layer.status === "read" ? layer.findings : undefined));
  const ownerOf = fileOwnersOf(findings, { survives: view.survives, systems: [...systems.values()] });
  const image = { ...view, ownerOf };
  const found = ecosystems.map((ecosystem) => systems.get(ecosystem) ?? packagesIn(ecosystem, layers, image));
  return { found, image };
}

function packagesIn(ecosystem: Ecosystem, layers: readonly ImageLayer[], image: ImageView) {
  const { detectors, fileDetectors = [], lockFileDetectors = [], pathDetectors = [] } = ecosystem;
  const readers = [...detectors, ...fileDetectors, ...lockFileDetectors, ...pathDetectors];
  const names = new Set(readers.map(({ name }) => name));
  const own = layers.map((layer) => ecosystemLayer(layer, names));
  const unused = ecosystem.unusedDatabases?.(own, image) ?? new Map<string, UnassessedKind>();
  return { ecosystem, unused, packages: [...(ecosystem.coalesce?.(withoutDatabases(own, unused), image) ?? [])] };
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
