import type { LayerBudget } from "./layer-budget.ts";

/**
 * The number of threads whose budgets fit into memory: at most `wanted`, at least one.
 * @param wanted the number of threads if memory were unlimited
 * @param availableBytes the free memory of the machine or of the process's control group
 * @example
 * threadsThatFit(64, { layerHeapMegabytes: 256 }, 2 * 1024 ** 3); // 8
 */
export function threadsThatFit(
  wanted: number,
  { layerHeapMegabytes }: Pick<LayerBudget, "layerHeapMegabytes">,
  availableBytes: number = process.availableMemory(),
): number {
  const fitting = Math.floor(availableBytes / (layerHeapMegabytes * 1024 ** 2));
  return Math.max(1, Math.min(wanted, fitting));
}
