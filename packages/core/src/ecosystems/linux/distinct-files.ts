import type { LayerFile, LayerFiles } from "../../plugins/detector.ts";

/**
 * The files of a layer, each content once. If links give a content several paths, the path of the content itself is preferred, if the
 * detector wants it.
 */
export function* distinctFiles(files: LayerFiles): Generator<LayerFile> {
  const seen = new Set<string>();
  for (const file of files) {
    if (seen.has(file.contentPath)) continue;
    seen.add(file.contentPath);
    yield files.get(file.contentPath) ?? file;
  }
}
