import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import type { LayerBudget } from "./layer-budget.ts";

/** Costs are looked at so often. */
const periodMs = 100;

const megabyte = 1024 ** 2;

/** What a thread's task costs, as long as it is watched. */
export interface WatchedCost {
  /** The most memory that the thread was seen to have, in bytes: objects, garbage, and what they hold outside the heap. */
  readonly mostBytes: number;
  stop(): void;
}

/**
 * Watches what a thread's task costs, from now until it is stopped.
 * @param onExceeded told once which limit the task has passed
 */
export function watchCost(
  worker: Worker,
  budget: LayerBudget,
  onExceeded: (limit: keyof LayerBudget) => void,
): WatchedCost {
  const watch = new CostWatch(worker, budget);
  const stop = () => clearInterval(timer);
  const look = async () => {
    const exceeded = await watch.look();
    if (exceeded === undefined) return;
    stop();
    onExceeded(exceeded);
  };
  const timer = setInterval(look, periodMs).unref();
  void look();
  return {
    stop,
    get mostBytes() {
      return watch.mostBytes;
    },
  };
}

/** Objects, and the memory outside the heap that they hold: contents of files, what is being decompressed. */
function memoryOf(heap: Pick<HeapInfo, "used_heap_size" | "external_memory">): number {
  return heap.used_heap_size + heap.external_memory;
}

class CostWatch {
  readonly #worker: Worker;
  readonly #budget: LayerBudget;
  mostBytes = 0;
  #cpuMsBefore: number | undefined;
  #cpuMs = 0;
  /** When the question was asked that is not answered yet. */
  #askedAt: number | undefined;

  constructor(worker: Worker, budget: LayerBudget) {
    this.#worker = worker;
    this.#budget = budget;
  }

  async look(): Promise<keyof LayerBudget | undefined> {
    if (this.#askedAt === undefined) return this.#ask();
    // a thread does not answer in the middle of an operation of the platform, and is busy all the time
    const cpuMs = this.#cpuMs + (performance.now() - this.#askedAt);
    return cpuMs > this.#budget.layerCpuSeconds * 1000 ? "layerCpuSeconds" : undefined;
  }

  async #ask(): Promise<keyof LayerBudget | undefined> {
    this.#askedAt = performance.now();
    try {
      const [cpu, heap] = await Promise.all([this.#worker.cpuUsage(), this.#worker.getHeapStatistics()]);
      const cpuMs = (cpu.user + cpu.system) / 1000;
      this.mostBytes = Math.max(this.mostBytes, heap.total_heap_size + heap.external_memory);
      this.#cpuMsBefore ??= cpuMs;
      this.#cpuMs = cpuMs - this.#cpuMsBefore;
      if (this.#cpuMs > this.#budget.layerCpuSeconds * 1000) return "layerCpuSeconds";
      return memoryOf(heap) > this.#budget.layerHeapMegabytes * megabyte ? "layerHeapMegabytes" : undefined;
    } catch {
      return undefined; // the thread has ended
    } finally {
      this.#askedAt = undefined;
    }
  }
}
