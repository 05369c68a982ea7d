import { ScanError } from "../errors.ts";
import { SymbolicLinks } from "../layer/links.ts";
import { createOverlay, type Overlay } from "../layer/overlay.ts";
import { hashPath } from "../layer/path-hash.ts";
import { nothingChanged } from "../layer/path-set.ts";
import type { ImageView } from "../plugins/coalescer.ts";
import type { DistributionFinding, Finding, ProblemFinding, RepositoryFinding } from "../plugins/finding.ts";
import type { ImageLayer, LayerFindings } from "./layer-findings.ts";

/** The finished image, from the findings of its layers, base first, without owners of files. Undefined is a layer that was not read. */
export function viewImage(layers: readonly (LayerFindings | undefined)[]): ImageView {
  const { survives } = createOverlay(layers.map((layer) => layer?.shape ?? nothingChanged));
  const releases = releasesByRoot(layers);
  return {
    survives,
    resolve: linkFollower(layers, survives),
    distributionAt(index, root = "") {
      const ofRoot = releases.get(root) ?? [];
      return (ofRoot.findLast((each) => each.index <= index) ?? ofRoot[0])?.distribution;
    },
    ownerOf: () => undefined,
    repositories: layers.flatMap((layer, index) =>
      [...allFindings(layer)].filter(
        (finding): finding is RepositoryFinding => finding.kind === "repository" && survives(finding.path, index),
      ),
    ),
  };
}

/** Paths are normalized, so that none begins with a slash. */
const nowhere = "/";

/** Makes the function that follows the links of the finished image. One that leads into a loop, or along too many links, leads to a path that nothing has. */
function linkFollower(
  layers: readonly (LayerFindings | undefined)[],
  survives: Overlay["survives"],
): ImageView["resolve"] {
  let links: SymbolicLinks | undefined;
  const linksOfImage = () => {
    const found = new SymbolicLinks();
    for (const [index, layer] of layers.entries()) {
      for (const finding of allFindings(layer)) {
        if (finding.kind !== "link" && finding.kind !== "symlink") continue;
        const { path, target, file = path } = finding.kind === "link" ? finding : { ...finding, file: undefined };
        if (survives(file, index)) found.set(hashPath(path), target);
      }
    }
    return found;
  };
  return (path) => {
    links ??= linksOfImage();
    try {
      return links.resolve(path) ?? nowhere;
    } catch (error) {
      if (error instanceof ScanError) return nowhere; // more steps than the links of any image need
      throw error;
    }
  };
}

/** Whether a problem is one of the finished image. */
export function isProblemOf(
  { survives }: Pick<ImageView, "survives">,
  { path, withoutLog }: ProblemFinding,
  index: number,
): boolean {
  return survives(path, index) && (withoutLog === undefined || !survives(withoutLog, index));
}

/** The finished file system of an image. A layer that was not read changes nothing. */
export function overlayOf(layers: readonly ImageLayer[]): Overlay {
  return createOverlay(layers.map((layer) => (layer.status === "read" ? layer.findings.shape : nothingChanged)));
}

/** The findings of all detectors in one layer. */
export function* allFindings(layer: LayerFindings | undefined): Iterable<Finding> {
  for (const findings of Object.values(layer?.findings ?? {})) yield* findings;
}

interface ReleaseInLayer {
  readonly index: number;
  readonly distribution: DistributionFinding["distribution"];
}

/** The releases that layers name, base first, by the folder of the system; that of the image has none. */
function releasesByRoot(
  layers: readonly (LayerFindings | undefined)[],
): ReadonlyMap<string, readonly ReleaseInLayer[]> {
  const found = layers.flatMap((layer, index) => {
    const named = new Map<string, ReleaseInLayer & { readonly root: string }>();
    for (const finding of allFindings(layer)) {
      if (finding.kind !== "distribution") continue;
      const { root = "", distribution } = finding;
      if (!named.has(root)) named.set(root, { root, index, distribution });
    }
    return [...named.values()];
  });
  return Map.groupBy(found, ({ root }) => root);
}
