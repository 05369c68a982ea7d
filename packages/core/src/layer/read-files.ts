import type { MemoryBudget } from "../bytes/memory-budget.ts";
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

/** Reads only the files at the given paths of a layer that was read before. @throws ScanError as {@link readLayer} */
export async function readFiles(options: ReadFilesOptions): Promise<ReadonlyMap<string, KeptFile>> {
  const { limits, budget, problems, paths, scratch } = options;
  const wants: ReadLayerOptions["wants"] = (file) => file.kind === "file" && paths.has(file.path);
  const tree = new LayerTree({ wants, limits, budget, problems, scratch });
  await streamLayerAgain({ ...options, wants }, tree);
  return tree.keptFiles();
}
