import { ScanError } from "@plimsoll/core";

/** Limits for reading one layer in a thread. Reading a layer that takes more fails with ScanError `layer_too_costly`. */
export interface LayerBudget {
  /** Seconds of CPU time; waiting for bytes does not count. */
  readonly layerCpuSeconds: number;
  /** Megabytes of objects and of the memory that they hold outside the heap, such as file contents and decompression buffers. */
  readonly layerHeapMegabytes: number;
}

/** The default budget. A layer of 20 GB, uncompressed, takes about 40 seconds. */
export const defaultLayerBudget: LayerBudget = { layerCpuSeconds: 60, layerHeapMegabytes: 256 };

/** The error for exceeding a budget. @param what the task: `reading layer …` */
export function tooCostly(what: string, limit: keyof LayerBudget, budget: LayerBudget): ScanError {
  const amount = {
    layerCpuSeconds: `${budget.layerCpuSeconds} s of CPU time`,
    layerHeapMegabytes: `${budget.layerHeapMegabytes} MB of memory`,
  }[limit];
  return new ScanError("layer_too_costly", `${what} takes more than ${limit}, ${amount}`);
}
