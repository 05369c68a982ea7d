import type { MemoryBudget } from "../bytes/memory-budget.ts";
import { findWantedLinks } from "./follow-links.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile, ReadLayerOptions } from "./layer-contents.ts";
import { LayerTree } from "./layer-tree.ts";
import type { Problems } from "./problems.ts";
import { streamLayerAgain } from "./stream-layer.ts";

/** Options of {@link readFiles}. */
export interface ReadFilesOptions extends Omit<ReadLayerOptions, "fileDetectors" | "wants"> {
  readonly paths: ReadonlySet<string>;
  /** The memory for the contents of files; several layers may share it. */
  readonly budget: MemoryBudget;
  readonly problems: Problems;
}

/** Reads only the files at the given paths of a layer that was read before, also those that are links to others in it. @throws ScanError as {@link readLayer} */
export async function readFiles(options: ReadFilesOptions): Promise<ReadonlyMap<string, KeptFile>> {
  const { limits, budget, problems, paths, scratch } = options;
  const wants: ReadLayerOptions["wants"] = (file) => paths.has(file.path);
  const tree = new LayerTree({ wants, limits, budget, problems, scratch });
  await streamLayerAgain({ ...options, wants }, tree);
  const found = new Map(tree.keptFiles());
  const links = findWantedLinks(tree, { wants, isRead: () => true, problems });
  const contents = new Set([...links.values()].filter((path) => !found.has(path)));
  const linked = contents.size === 0 ? found : await readFiles({ ...options, paths: contents });
  for (const [path, contentPath] of links) {
    const [content, info] = [linked.get(contentPath) ?? found.get(contentPath), tree.wantedLinks.get(path)];
    if (content !== undefined && info !== undefined)
      found.set(path, keptFile({ path, contentPath, mode: content.mode, info }, content.parts));
  }
  return found;
}
