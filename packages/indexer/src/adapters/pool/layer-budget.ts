/** Limits for reading one layer in a thread. Reading a layer that takes more fails with ScanError `layer_too_costly`. */
export interface LayerBudget {
  /** Seconds of CPU time; waiting for bytes does not count. */
  readonly layerCpuSeconds: number;
  /** Megabytes of objects and of the memory that they hold outside the heap, such as file contents and decompression buffers. */
  readonly layerHeapMegabytes: number;
}

/** The default budget. A layer of 20 GB, uncompressed, takes about 40 seconds. */
export const defaultLayerBudget: LayerBudget = { layerCpuSeconds: 60, layerHeapMegabytes: 256 };

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
