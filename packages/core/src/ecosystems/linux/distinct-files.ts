import type { LayerFile, LayerFiles } from "../../plugins/detector.ts";

/**
 * The files of a layer without those that are only another name of one already given. Of several names the one where the
 * content stands is taken, if the detector wants that too.
 */
export function* distinctFiles(files: LayerFiles): Generator<LayerFile> {
  const seen = new Set<string>();
  for (const file of files) {
    if (seen.has(file.contentPath)) continue;
    seen.add(file.contentPath);
    yield files.get(file.contentPath) ?? file;
  }
}
