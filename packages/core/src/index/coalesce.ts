import type { Engine } from "../engine.ts";
import { isCoalesced } from "../layer/checked-findings.ts";
import { namesBelow, readersThrough, wantsFile } from "../layer/readers-through.ts";
import { atOnce, nameOfValue, sequenceOf } from "../model/at-once.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexReport, Problem, UnassessedKind } from "../model/index-report.ts";
import type { CoalescedPackage, EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { FileEntry } from "../plugins/detector.ts";
import type { Ecosystem } from "../plugins/ecosystem.ts";
import type { Finding, SymlinkFinding } from "../plugins/finding.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";
import { coverageOf } from "./coverage.ts";
import { evidenceIsRead } from "./evidence-is-read.ts";
import { allFindings, viewImage } from "./image-view.ts";
import type { ImageLayer, LayerFindings } from "./layer-findings.ts";
import { filesIn } from "./listed-files.ts";
import { needsIn } from "./needs.ts";
import { fileOf, fileOwnersOf } from "./owned-files.ts";
import { projectFilesIn } from "./project-files.ts";
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
  const view = viewImage(findings);
  const { stale, problems } = unreadLinks(engine, findings, view);
  const { found, image } = packagesOf(engine.ecosystems, withoutFiles(layers, stale), view);
  const unused = new Map(found.flatMap((each) => [...each.unused]));
  const packages = found.flatMap((each) => each.packages);
  const ofImage = packages.filter(({ root }) => root === undefined); // others are of systems in its folders
  const names = found.filter((each) => each.packages.some(({ root }) => root === undefined));
  const assessed = {
    found: new Set(names.map(({ ecosystem }) => ecosystem.name)),
    findsDistribution: ofImage.some(({ distribution }) => distribution !== undefined),
    unused,
    reads: evidenceIsRead(found, projectFilesIn(findings, image, engine.evidence), engine.evidence),
  };
  const maps = reportMaps(packages, findings, {
    needsOf: engine.details ? needsIn(found, image) : undefined,
    filesOf: engine.files ? filesIn(found, findings, image) : undefined,
  });
  const failed = found.flatMap((each) => each.problems);
  return {
    manifestDigest,
    state: "IndexFinished",
    success: true,
    ...maps,
    coverage: coverageOf({ layers, packages, image, problems: [...problems, ...failed] }, assessed),
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
  const ownerOf = fileOwnersOf(findings, { ...view, systems: [...systems.values()] });
  const image = { ...view, ownerOf };
  const found = ecosystems.map((ecosystem) => systems.get(ecosystem) ?? packagesIn(ecosystem, layers, image));
  return { found, image };
}

function packagesIn(ecosystem: Ecosystem, layers: readonly ImageLayer[], image: ImageView) {
  const { detectors, detailDetectors = [], fileDetectors = [], lockFileDetectors = [], pathDetectors = [] } = ecosystem;
  const readers = [...detectors, ...detailDetectors, ...fileDetectors, ...lockFileDetectors, ...pathDetectors];
  const names = new Set(readers.map(({ name }) => name));
  const own = layers.map((layer) => ecosystemLayer(layer, names));
  const problems: Problem[] = [];
  const fail = failureOf(ecosystem, problems);
  const unused = unusedIn(ecosystem, fail, () => ecosystem.unusedDatabases?.(own, image));
  const { coalesce: merge = () => [] } = ecosystem;
  const packages = coalesced(ecosystem, fail, () => merge(withoutDatabases(own, unused), image));
  return { ecosystem, unused, packages, problems, fail };
}

/** Adds an error of an ecosystem to the problems of the image, the same once. */
function failureOf({ name }: Ecosystem, problems: Problem[]): (error: unknown) => void {
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    const message = text.includes(name) ? text : `${name}: ${text}`;
    if (problems.some((each) => each.message === message)) return;
    problems.push({ at: name, code: "ecosystem_failed", message });
  };
}

/** The databases that the package manager does not use: none, if the ecosystem cannot tell. */
function unusedIn(
  { name }: Ecosystem,
  fail: (error: unknown) => void,
  find: () => ReturnType<NonNullable<Ecosystem["unusedDatabases"]>> | undefined,
): ReadonlyMap<string, UnassessedKind | undefined> {
  try {
    const found = atOnce(find(), "unusedDatabases", name) ?? new Map();
    if (found instanceof Map) return found;
    throw new TypeError(`unusedDatabases of ${name}: expected a map, found ${nameOfValue(found)}`);
  } catch (error) {
    fail(error);
    return new Map();
  }
}

/** The packages of an ecosystem, up to its first error. What is no package is a problem, since it would otherwise be passed over. */
function coalesced(
  { name }: Ecosystem,
  fail: (error: unknown) => void,
  merge: () => Iterable<CoalescedPackage>,
): readonly CoalescedPackage[] {
  const packages: CoalescedPackage[] = [];
  try {
    for (const each of sequenceOf(merge(), `coalesce of ${name}`)) {
      if (isCoalesced(each)) packages.push(each);
      else fail(`coalesce of ${name}: expected a package with its members, found ${nameOfValue(each)}`);
    }
  } catch (error) {
    fail(error);
  }
  return packages;
}

function withoutDatabases(
  layers: readonly EcosystemLayer[],
  unused: ReadonlyMap<string, UnassessedKind | undefined>,
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

/** The plug-ins that read files of a layer. */
type Readers = Pick<Engine, "detectors" | "fileDetectors">;

/** What the symbolic links of an image lead to, where that is not what was read. */
interface UnreadLinks {
  /** Files that were read in each layer, and that are others in the finished image: the paths through links. */
  readonly stale: readonly ReadonlySet<string>[];
  readonly problems: readonly Problem[];
}

/**
 * Compares what was read through symbolic links with the finished image. A link and its file may be in different layers, or a later layer may replace the file.
 * Links to nothing are ordinary: the file may come with a volume.
 */
function unreadLinks(
  engine: Readers,
  layers: readonly (LayerFindings | undefined)[],
  image: Pick<ImageView, "resolve" | "survives">,
): UnreadLinks {
  const { survives, resolve } = image;
  const isReader = readerTest(engine);
  const readersBelow = engine.fileDetectors.filter(({ readsBelow }) => readsBelow !== undefined);
  const namesIn = (path: string) => readersBelow.flatMap((detector) => namesBelowOrNone(detector, path));
  const stale = layers.map(() => new Set<string>());
  const problems: Problem[] = [];
  for (const [index, link] of linksOf(layers, survives)) {
    if (link.isHard === true && !isThere(resolve(link.path), layers.slice(0, index), survives)) {
      problems.push(goneProblem(link));
      continue;
    }
    for (const path of [link.path, ...namesIn(link.path).map((name) => `${link.path}/${name}`)]) {
      const [end, content] = [resolve(path), link.read?.[path]];
      if (content !== undefined && content === end && survives(content, index)) continue;
      if (content !== undefined) stale[index]?.add(path);
      if (isReader(path, end) && isThere(end, layers, survives)) problems.push(problemOf(path, end));
    }
  }
  return { stale, problems };
}

/** One that fails reads nothing: reading the layer has reported it. */
function namesBelowOrNone(detector: Engine["fileDetectors"][number], path: string): readonly string[] {
  try {
    return namesBelow(detector, path);
  } catch {
    return [];
  }
}

function* linksOf(
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): Iterable<readonly [layer: number, link: SymlinkFinding]> {
  for (const [index, layer] of layers.entries()) {
    for (const finding of allFindings(layer))
      if (finding.kind === "symlink" && survives(finding.path, index)) yield [index, finding];
  }
}

/** Makes the test whether any plug-in reads a file by the path of a link, but not by its own. */
function readerTest({ detectors, fileDetectors }: Readers): (path: string, end: string) => boolean {
  const pluginsFor = pluginsByName([...detectors, ...fileDetectors]);
  return (path, end) => {
    const link: FileEntry = { path, kind: "symbolic-link", sizeBytes: 0, mode: 0o777 };
    return readersThrough({ pluginsFor, isWanted: wantsFile }, link, end).length > 0;
  };
}

function isThere(
  path: string,
  layers: readonly (LayerFindings | undefined)[],
  survives: ImageView["survives"],
): boolean {
  return layers.some((layer, index) => layer?.shape.leaves.has(path) === true && survives(path, index));
}

function problemOf(at: string, end: string): Problem {
  const message = `expected to read ${end}, to which this link leads, found it in another layer: put the file in the place of the link`;
  return { at, code: "unread_link", message };
}

function goneProblem({ path, target }: SymlinkFinding): Problem {
  const message = `expected to read ${target.slice(1)}, to which this hard link leads, found it in no lower layer of the finished image`;
  return { at: path, code: "unread_link", message };
}
