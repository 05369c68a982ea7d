import type { LayerBudget } from "./layer-budget.ts";

/**
 * As many of the wanted threads as have room in memory when each takes its whole budget; at least one.
 * @param wanted how many there would be on a machine with any amount of memory
 * @param availableBytes what the machine, or the control group that holds the process, has left
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
