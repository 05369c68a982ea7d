import type { LayerContents } from "../layer/layer-contents.ts";
import type { Detector, LayerFile, LayerFiles } from "../plugins/detector.ts";

/** The kept files of a layer that a detector wants. */
export function filesFor(
  { wants }: Pick<Detector, "wants">,
  contents: LayerContents,
): LayerFiles & { readonly size: number } {
  const wanted = new Map<string, LayerFile>();
  for (const [path, file] of contents.files) {
    if (wants(file.info)) wanted.set(path, file);
  }
  return { size: wanted.size, get: (path) => wanted.get(path), [Symbol.iterator]: () => wanted.values() };
}
