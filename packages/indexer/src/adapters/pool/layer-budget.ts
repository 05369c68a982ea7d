import { ScanError } from "@plimsoll/core";

/** Limits for reading one layer in a thread. A layer that takes more ends in ScanError `layer_too_costly`. */
export interface LayerBudget {
  /** Seconds of processor time; waiting for bytes costs none. */
  readonly layerCpuSeconds: number;
  /** Megabytes of objects and of what they hold outside the heap: contents of files, what is being decompressed. */
  readonly layerHeapMegabytes: number;
}

/** The budget where the caller names none: a layer of 20 GB, uncompressed, takes about 40 seconds. */
export const defaultLayerBudget: LayerBudget = { layerCpuSeconds: 60, layerHeapMegabytes: 256 };

/** That something has cost more than its budget. @param what is done: `reading layer …` */
export function tooCostly(what: string, limit: keyof LayerBudget, budget: LayerBudget): ScanError {
  const taken = {
    layerCpuSeconds: `${budget.layerCpuSeconds} s of CPU time`,
    layerHeapMegabytes: `${budget.layerHeapMegabytes} MB of memory`,
  }[limit];
  return new ScanError("layer_too_costly", `${what} takes more than ${limit}, ${taken}`);
}
