import { findDistribution } from "../distributions/shared/find.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { ImageView } from "../plugins/coalescer.ts";
import type { DistributionFinding, Finding } from "../plugins/finding.ts";
import type { ImageLayer } from "./image-layer.ts";
import { isProblemOf } from "./image-view.ts";
import type { Piece } from "./piece.ts";

/**
 * The release file of a distribution of which the finished image has no package: its database is missing, empty, at an unknown
 * place, or of an unknown package manager. Undefined where packages were found, or where a damaged database is already a problem.
 *
 * @param found names of the ecosystems that found packages
 */
export function findMissingDatabase(
  layers: readonly ImageLayer[],
  image: ImageView,
  found: ReadonlySet<string>,
): Piece | undefined {
  const release = findRelease(layers, image);
  const kind = release && managerOf(release.finding);
  if (release === undefined || kind === undefined) return undefined;
  const isRead = kind === "other" ? found.size > 0 : readersOf(kind).some((name) => found.has(name));
  if (isRead || hasDamagedDatabase(layers, image)) return undefined;
  return { path: release.finding.path, layer: release.layer, packages: kind, pieces: 1 };
}

function findRelease(layers: readonly ImageLayer[], image: ImageView) {
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index];
    if (layer?.status !== "read") continue;
    const finding = findingsOf(layer).find((each): each is DistributionFinding => each.kind === "distribution");
    if (finding !== undefined && image.survives(finding.path, index)) return { finding, layer: layer.findings.digest };
  }
  return undefined;
}

/** The package manager of a release, by `ID` and `ID_LIKE` of os-release; undefined where it has none. */
function managerOf({ distribution: { did, like = [] } }: DistributionFinding): UnassessedKind | undefined {
  const packaging = [did, ...like].map((name) => findDistribution(name)?.packaging);
  return packaging.find((found) => found !== undefined && found !== "none") ?? otherOf(did);
}

function otherOf(did: string | undefined): "other" | undefined {
  return did === undefined || findDistribution(did)?.packaging === "none" ? undefined : "other";
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
