import type { LayerShape } from "./layer-contents.ts";
import { hashFolders, hashPath } from "./path-hash.ts";

/** The file system after applying layers in order, base first. */
export interface Overlay {
  /** Whether a file of layer `index` is in the finished image, neither removed nor replaced. */
  survives(path: string, index: number): boolean;
}

/**
 * Makes an overlay of the shapes of all layers, base first. Results for a folder are cached for all paths below it.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/layer.md#representing-changes
 * @example
 * declare const shapes: readonly LayerShape[];
 * const overlay = createOverlay(shapes);
 * const isThere = overlay.survives("var/lib/dpkg/status", 0);
 */
export function createOverlay(shapes: readonly LayerShape[]): Overlay {
  const highestOpaqueRoot = shapes.findLastIndex((shape) => shape.opaque.has(""));
  const hiders: Readonly<Record<PathUse, Map<number, number>>> = { file: new Map(), folder: new Map() };
  const highestHiding = (hash: number, use: PathUse): number => {
    const known = hiders[use].get(hash);
    if (known !== undefined) return known;
    const found = shapes.findLastIndex((shape) => hides(shape, hash, use));
    hiders[use].set(hash, found);
    return found;
  };
  return {
    survives(path, index) {
      if (highestHiding(hashPath(path), "file") > index) return false;
      if (highestOpaqueRoot > index) return false;
      return !hashFolders(path).some((hash) => highestHiding(hash, "folder") > index);
    },
  };
}

/**
 * Whether one file of layer `index` is in the finished image. For many files, {@link createOverlay} is faster.
 * @example
 * declare const layers: readonly LayerFindings[];
 * const shapes = layers.map(({ shape }) => shape);
 * const isThere = survives(shapes, "var/lib/dpkg/status", 0);
 */
export function survives(shapes: readonly LayerShape[], path: string, index: number): boolean {
  return createOverlay(shapes).survives(path, index);
}

/** Whether a path is the file itself or a folder above it. */
type PathUse = "file" | "folder";

/** Whether a layer hides a lower file of this path, or everything that lower layers have below this folder. */
function hides(shape: LayerShape, hash: number, use: PathUse): boolean {
  if (shape.removed.hasHash(hash) || shape.leaves.hasHash(hash)) return true;
  return use === "file" ? shape.folders.hasHash(hash) : shape.opaque.hasHash(hash);
}
