import type { Engine } from "../engine.ts";
import { ScanError } from "../errors.ts";
import { checkedFindings } from "../layer/checked-findings.ts";
import { FindingsBudget } from "../layer/findings-budget.ts";
import type { LayerContents } from "../layer/layer-contents.ts";
import type { Digest } from "../model/digest.ts";
import type { Detector, FileEntry, PathDetector } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { filesFor } from "./files-for.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { listedFiles } from "./listed-files.ts";
import { ownedFiles } from "./owned-files.ts";

/** The key of problems in reading the layer itself, among the names of detectors. */
export const layerReader = "layer-reader";

/** The key of evidence of packages, among the names of detectors. Detectors may have read some of the packages. */
export const evidenceFinder = "evidence-finder";

/** The key of symbolic links, among the names of detectors. */
const linkFinder = "link-finder";

/** The members of an engine that reading a layer uses. */
export type DetectingEngine = Pick<Engine, "detectors" | "limits"> &
  Partial<
    Pick<
      Engine,
      | "details"
      | "evidence"
      | "fileDetectors"
      | "fileLists"
      | "fileOwners"
      | "lockFileDetectors"
      | "lockedPackages"
      | "pathDetectors"
    >
  >;

/**
 * A test whether any detector or file owner that reads several files of a layer wants a file.
 * @example
 * const wants = wantedByAny(createEngine({ ecosystems: [dpkg] }));
 */
export function wantedByAny(
  engine: Pick<DetectingEngine, "detectors" | "fileLists" | "fileOwners">,
): (file: FileEntry) => boolean {
  const pluginsFor = pluginsByName<Pick<Detector, "names" | "wants">>([
    ...engine.detectors,
    ...(engine.fileOwners ?? []),
    ...(engine.fileLists ?? []),
  ]);
  return (file) => pluginsFor(file.path).some((each) => isWanted(each, file));
}

/** A plug-in that fails here gets the file: it fails again when it runs, and that is reported. */
function isWanted(plugin: Pick<Detector, "wants">, file: FileEntry): boolean {
  try {
    return plugin.wants(file);
  } catch {
    return true;
  }
}

/**
 * Runs every detector on the kept files of a layer. A detector that throws becomes a problem finding; the others still run.
 * @throws ScanError `entry_limit` when there are more findings than the limits allow
 * @example
 * declare const contents: LayerContents;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const findings = detectLayer(engine, parseDigest(`sha256:${"0".repeat(64)}`), contents);
 */
export function detectLayer(engine: DetectingEngine, digest: Digest, contents: LayerContents): LayerFindings {
  const { detectors, limits, fileDetectors = [], fileOwners = [], pathDetectors = [] } = engine;
  const findings: Record<string, readonly Finding[]> = {};
  if (contents.problems.length > 0) findings[layerReader] = contents.problems;
  if (contents.evidence.length > 0) findings[evidenceFinder] = contents.evidence;
  if (contents.links.length > 0) findings[linkFinder] = contents.links;
  const budget = new FindingsBudget(`layer ${digest}`, limits);
  for (const detector of detectors) {
    const found = runDetector(detector, { digest, contents, budget, details: engine.details });
    if (found.length > 0) findings[detector.name] = found;
  }
  for (const detector of pathDetectors) {
    const found = runPathDetector(detector, { digest, contents, budget });
    if (found.length > 0) findings[detector.name] = found;
  }
  const { inspected } = contents;
  for (const found of [inspected, ownedFiles(contents, { fileOwners, fileDetectors, inspected })]) {
    for (const finding of Object.values(found).flat()) budget.add(finding);
    Object.assign(findings, found);
  }
  Object.assign(findings, listedFiles(contents, engine.fileLists ?? []));
  return {
    digest,
    findings: engine.details === false ? withoutDetails(findings) : findings,
    shape: contents.shape,
    entries: contents.entries,
    uncompressedBytes: contents.uncompressedBytes,
  };
}

function withoutDetails(findings: Readonly<Record<string, readonly Finding[]>>): LayerFindings["findings"] {
  return Object.fromEntries(Object.entries(findings).map(([name, found]) => [name, found.map(withoutOwnDetails)]));
}

function withoutOwnDetails(finding: Finding): Finding {
  if (finding.kind !== "package" || finding.details === undefined) return finding;
  const { details, ...found } = finding;
  return found;
}

interface DetectedLayer {
  readonly digest: Digest;
  readonly contents: LayerContents;
  readonly budget: FindingsBudget;
  /** See {@link DetectOptions}. */
  readonly details?: boolean;
}

/** The findings of one detector, up to its first error. */
function runDetector(detector: Detector, { digest, contents, budget, details }: DetectedLayer): Finding[] {
  const { name } = detector;
  return collect({ digest, name, budget }, () => {
    const files = filesFor(detector, contents);
    return files.size === 0 ? [] : detector.detect(files, { details });
  });
}

/** The findings of one path detector, up to its first error. */
function runPathDetector(
  { name, packages, detect }: PathDetector,
  { digest, contents, budget }: DetectedLayer,
): Finding[] {
  const own = contents.evidence.filter((evidence) => evidence.packages === packages);
  return own.flatMap((evidence) => collect({ digest, name, budget }, () => detect(evidence)));
}

interface Collecting extends Pick<DetectedLayer, "digest" | "budget"> {
  /** The name of the detector. */
  readonly name: string;
}

function collect({ digest, name, budget }: Collecting, detect: () => Iterable<Finding>): Finding[] {
  const found: Finding[] = [];
  try {
    for (const finding of checkedFindings(detect(), { path: digest, name })) {
      found.push(finding);
      budget.add(finding);
    }
  } catch (error) {
    if (error instanceof ScanError && error.code === "entry_limit") throw error;
    const message = error instanceof Error ? error.message : String(error);
    found.push({ kind: "problem", path: digest, code: "detector_failed", message: `${name}: ${message}` });
  }
  return found;
}
