import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import type { LayerBudget } from "./layer-budget.ts";

/** How often costs are checked. */
const periodMs = 100;

const megabyte = 1024 ** 2;

/** The cost of a thread's task while it is watched. */
export interface WatchedCost {
  /** The largest observed memory of the thread, in bytes: objects, garbage, and the memory that they hold outside the heap. */
  readonly maxBytes: number;
  stop(): void;
}

/**
 * Watches the cost of a thread's task until it is stopped.
 * @param onExceeded called once, with the limit that the task has exceeded
 */
export function watchCost(
  worker: Worker,
  budget: LayerBudget,
  onExceeded: (limit: keyof LayerBudget) => void,
): WatchedCost {
  const watch = new CostWatch(worker, budget);
  const stop = () => clearInterval(timer);
  const check = async () => {
    const exceeded = await watch.check();
    if (exceeded === undefined) return;
    stop();
    onExceeded(exceeded);
  };
  const timer = setInterval(check, periodMs).unref();
  void check();
  return {
    stop,
    get maxBytes() {
      return watch.maxBytes;
    },
  };
}

/** The memory of objects and the memory that they hold outside the heap, such as file contents and decompression buffers. */
function memoryOf(heap: Pick<HeapInfo, "used_heap_size" | "external_memory">): number {
  return heap.used_heap_size + heap.external_memory;
}

class CostWatch {
  readonly #worker: Worker;
  readonly #budget: LayerBudget;
  maxBytes = 0;
  #cpuMsBefore: number | undefined;
  #cpuMs = 0;
  /** When the pending query was sent; undefined if none is pending. */
  #queriedAt: number | undefined;

  constructor(worker: Worker, budget: LayerBudget) {
    this.#worker = worker;
    this.#budget = budget;
  }

  async check(): Promise<keyof LayerBudget | undefined> {
    if (this.#queriedAt === undefined) return this.#query();
    // a thread cannot answer during a native operation; it computes all that time
    const cpuMs = this.#cpuMs + (performance.now() - this.#queriedAt);
    return cpuMs > this.#budget.layerCpuSeconds * 1000 ? "layerCpuSeconds" : undefined;
  }

  async #query(): Promise<keyof LayerBudget | undefined> {
    this.#queriedAt = performance.now();
    try {
      const [cpu, heap] = await Promise.all([this.#worker.cpuUsage(), this.#worker.getHeapStatistics()]);
      const cpuMs = (cpu.user + cpu.system) / 1000;
      this.maxBytes = Math.max(this.maxBytes, heap.total_heap_size + heap.external_memory);
      this.#cpuMsBefore ??= cpuMs;
      this.#cpuMs = cpuMs - this.#cpuMsBefore;
      if (this.#cpuMs > this.#budget.layerCpuSeconds * 1000) return "layerCpuSeconds";
      return memoryOf(heap) > this.#budget.layerHeapMegabytes * megabyte ? "layerHeapMegabytes" : undefined;
    } catch {
      return undefined; // the thread has ended
    } finally {
      this.#queriedAt = undefined;
    }
  }
}
