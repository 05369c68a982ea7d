import type { LayerShape } from "./layer-contents.ts";
import { foldersAbove } from "./paths.ts";

/** The view after applying layers in order, base first. */
export interface Overlay {
  /** Whether a file that layer `index` brought is still there in the finished image, unreplaced. */
  survives(path: string, index: number): boolean;
}

/**
 * Prepares the shapes of all layers, base first, for many questions.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/layer.md#representing-changes
 */
export function createOverlay(shapes: readonly LayerShape[]): Overlay {
  const hiders = shapes.map(createHider);
  return {
    survives(path, index) {
      const above = [...foldersAbove(path)];
      return !hiders.slice(index + 1).some((hides) => hides(path, above));
    },
  };
}

/** Answers one question; for many of the same image, {@link createOverlay} is faster. */
export function survives(shapes: readonly LayerShape[], path: string, index: number): boolean {
  return createOverlay(shapes).survives(path, index);
}

/** Whether a layer hides a file of a lower layer, given the folders above that file. */
type Hider = (path: string, above: readonly string[]) => boolean;

function createHider(shape: LayerShape): Hider {
  const removed = new Set(shape.removed);
  const opaque = new Set(shape.opaque);
  const isGone = (path: string): boolean => removed.has(path) || shape.leaves.has(path);
  return (path, above) =>
    isGone(path) ||
    shape.folders.has(path) ||
    above.some((folder) => opaque.has(folder) || (folder !== "" && isGone(folder)));
}
