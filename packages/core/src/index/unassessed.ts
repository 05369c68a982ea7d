import { findDistribution } from "../distributions/shared/find.ts";
import {
  type EvidencePath,
  maxEvidencePaths,
  type UnassessedKind,
  type UnassessedPackages,
  unassessedKinds,
} from "../model/index-report.ts";
import type { ImageView } from "../plugins/coalescer.ts";
import type { DistributionFinding, Finding } from "../plugins/finding.ts";
import { orderOf } from "../versions/define-order.ts";
import { evidenceFinder } from "./detect-layer.ts";
import { isProblemOf } from "./image-view.ts";
import type { ImageLayer } from "./layer-findings.ts";

/** The results of the engine's ecosystems for one image. */
export interface Assessment {
  /** Names of the ecosystems that found packages, not counting those of systems in folders of the image. */
  readonly found: ReadonlySet<string>;
  /** Whether any of these packages is one of the image's distribution. */
  readonly findsDistribution: boolean;
  /** The kinds of the databases that package managers do not use, by their paths. */
  readonly unused: ReadonlyMap<string, UnassessedKind | undefined>;
  /** Whether the engine's detectors have read the packages that a path is evidence of. */
  reads(kind: UnassessedKind, path: string): boolean;
}

/** Counts the evidence of packages that no detector has read. Files that later layers removed do not count. */
export function unassessedIn(
  layers: readonly ImageLayer[],
  image: ImageView,
  { unused, reads, ...results }: Assessment,
): readonly UnassessedPackages[] {
  const evidence = layers.flatMap((layer, index) => evidenceOf(layer, index, { image, unused, reads }));
  const missing = findMissingDatabase(layers, image, results);
  const pieces = missing === undefined ? evidence : [...evidence, missing];
  const byKind = Map.groupBy(pieces, ({ packages }) => packages);
  return unassessedKinds.flatMap((kind) => {
    const ofKind = byKind.get(kind);
    return ofKind === undefined ? [] : [unassessedOf(kind, ofKind)];
  });
}

interface Evidence extends Pick<Assessment, "reads" | "unused"> {
  readonly image: ImageView;
}

/** Evidence from a detector itself always counts: it has read the file and could not identify the packages. */
function evidenceOf(layer: ImageLayer, index: number, { image, unused, reads }: Evidence): Piece[] {
  if (layer.status !== "read") return [];
  const { digest, findings } = layer.findings;
  const found: Piece[] = [];
  for (const [name, ofOne] of Object.entries(findings)) {
    for (const finding of ofOne) {
      const { packages, pieces } = pieceOf(finding, unused);
      if (packages === undefined || !("path" in finding) || !image.survives(finding.path, index)) continue;
      if (name === evidenceFinder && reads(packages, finding.path)) continue;
      if (finding.kind === "evidence" && finding.unlessOwned === true && isOfDistribution(image, finding.path))
        continue;
      found.push({ path: finding.path, layer: digest, packages, pieces });
    }
  }
  return found;
}

function isOfDistribution(image: ImageView, path: string): boolean {
  const owner = image.ownerOf(path);
  return owner !== undefined && owner.mayBeOfOthers !== true;
}

/** The kind of packages that a finding is evidence of; none for most findings. */
function pieceOf(
  finding: Finding,
  unused: Assessment["unused"],
): Pick<Partial<Piece>, "packages"> & Pick<Piece, "pieces"> {
  if (finding.kind === "evidence") return finding;
  const packages = finding.kind === "database" ? unused.get(finding.path) : undefined;
  return packages === undefined ? { pieces: 0 } : { packages, pieces: 1 };
}

function unassessedOf(kind: UnassessedKind, found: readonly Piece[]): UnassessedPackages {
  const sorted = found.toSorted((a, b) => orderOf(a.path, b.path));
  return {
    kind,
    count: sorted.reduce((count, { pieces }) => count + pieces, 0),
    evidence: sorted.slice(0, maxEvidencePaths).map(({ path, layer }) => ({ path, layer })),
  };
}

/**
 * The release file of a distribution of which the finished image has no package: its database is missing, empty, at an unknown
 * place, or of an unknown package manager, or its image is built as a whole. Undefined where packages were found that its package manager installs, or where a
 * damaged database is already a problem. Packages of languages are not the distribution's.
 */
function findMissingDatabase(
  layers: readonly ImageLayer[],
  image: ImageView,
  { found, findsDistribution }: Pick<Assessment, "found" | "findsDistribution">,
): Piece | undefined {
  const release = findRelease(layers, image);
  const kind = release && packageManagerOf(release.finding.distribution);
  if (release === undefined || kind === undefined) return undefined;
  const isRead = kind === "other" ? findsDistribution : readersOf(kind).some((name) => found.has(name));
  if (isRead || hasDamagedDatabase(layers, image)) return undefined;
  return { path: release.finding.path, layer: release.layer, packages: kind, pieces: 1 };
}

function findRelease(layers: readonly ImageLayer[], image: ImageView) {
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index];
    if (layer?.status !== "read") continue;
    const finding = findingsOf(layer).find(
      (each): each is DistributionFinding => each.kind === "distribution" && each.root === undefined,
    );
    if (finding !== undefined && image.survives(finding.path, index)) return { finding, layer: layer.findings.digest };
  }
  return undefined;
}

/** The package manager of a release, by `ID` and `ID_LIKE` of os-release; `other` where it is not known or there is none. */
export function packageManagerOf({
  did,
  like = [],
}: Pick<DistributionFinding["distribution"], "did" | "like">): UnassessedKind | undefined {
  const packaging = [did, ...like].map((name) => findDistribution(name)?.packaging);
  return (
    packaging.find((found) => found !== undefined && found !== "none") ?? (did === undefined ? undefined : "other")
  );
}

/** Ecosystems that read the databases of a package manager. OpenWrt has replaced opkg, whose databases dpkg's detector reads, with apk. */
function readersOf(kind: UnassessedKind): readonly string[] {
  return kind === "opkg" ? ["dpkg", "apk"] : [kind];
}

function hasDamagedDatabase(layers: readonly ImageLayer[], image: ImageView): boolean {
  return layers.some((layer, index) => {
    if (layer.status !== "read") return false;
    const findings = findingsOf(layer);
    const databases = new Set(findings.flatMap((each) => (each.kind === "database" ? [each.path] : [])));
    return findings.some(
      (each) => each.kind === "problem" && databases.has(each.path) && isProblemOf(image, each, index),
    );
  });
}

function findingsOf(layer: Extract<ImageLayer, { status: "read" }>): readonly Finding[] {
  return Object.values(layer.findings.findings).flat();
}

/** Evidence of packages in the finished image: one piece, or several that are counted under one path. */
interface Piece extends EvidencePath {
  readonly packages: UnassessedKind;
  readonly pieces: number;
}
