import type { LayerContents } from "../layer/layer-contents.ts";
import { atOnce } from "../model/at-once.ts";
import type { Detector, LayerFile, LayerFiles } from "../plugins/detector.ts";
import { pluginsByName } from "../plugins/plugins-by-name.ts";

/** The kept files of a layer that a detector wants. */
export function filesFor(
  plugin: Pick<Detector, "name" | "names" | "wants">,
  contents: LayerContents,
): LayerFiles & { readonly size: number } {
  const wanted = new Map<string, LayerFile>();
  const pluginFor = pluginsByName([plugin]);
  for (const [path, file] of contents.files) {
    for (const { name, wants } of pluginFor(file.info.path)) {
      if (atOnce(wants(file.info), "wants", name)) wanted.set(path, file);
    }
  }
  return { size: wanted.size, get: (path) => wanted.get(path), [Symbol.iterator]: () => wanted.values() };
}
