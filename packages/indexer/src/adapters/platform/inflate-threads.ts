import { SHARE_ENV, Worker } from "node:worker_threads";
import { inflateWorkerSource } from "./inflate-worker.source.ts";
import type { InflateTask, InflateThreadData } from "./inflate-worker.ts";

/** A thread that is lent to one stream. */
export interface InflateThread {
  start(task: InflateTask): void;
  /** Gives the thread back. */
  release(): void;
}

/** Threads that decompress, started when they are needed and kept for later. They do not keep the process alive. */
export interface InflateThreads {
  /** The thread that has least to do; undefined when all have enough or the platform starts none. */
  borrow(): InflateThread | undefined;
}

/** How many threads there are, and for what. */
export interface InflateThreadsOptions {
  readonly maxThreads: number;
  /** How many streams a thread decompresses by turns; one where absent. */
  readonly streamsPerThread?: number;
  /** Whether whatever else the process does goes first, where threads have priorities. */
  readonly inBackground?: boolean;
}

/** Starts a thread as long as all others are busy and there may be more. */
export function createInflateThreads(options: InflateThreadsOptions): InflateThreads {
  const { maxThreads, streamsPerThread = 1, inBackground = false } = options;
  const workerData: InflateThreadData = { inBackground };
  const streams = new Map<Worker, number>();

  function startWorker(): Worker | undefined {
    if (streams.size >= maxThreads) return undefined;
    try {
      const worker = new Worker(inflateWorkerSource, { eval: true, execArgv: [], env: SHARE_ENV, workerData });
      worker.on("error", () => {}); // the thread ends, and with it its pipes: whoever reads them learns of it there
      worker.on("exit", () => streams.delete(worker));
      worker.unref();
      return worker;
    } catch {
      return undefined; // no memory for a thread, or the permission model forbids it
    }
  }

  function chooseWorker(): Worker | undefined {
    const [least] = [...streams].sort(([, a], [, b]) => a - b);
    if (least === undefined || least[1] > 0) return startWorker() ?? (hasRoom(least) ? least[0] : undefined);
    return least[0];
  }

  function hasRoom(entry: readonly [Worker, number] | undefined): entry is readonly [Worker, number] {
    return entry !== undefined && entry[1] < streamsPerThread;
  }

  /** One stream more or less, unless the thread has ended. */
  function count(worker: Worker, change: 1 | -1): void {
    if (worker.threadId > 0) streams.set(worker, (streams.get(worker) ?? 0) + change);
  }

  return {
    borrow() {
      const worker = chooseWorker();
      if (worker === undefined) return undefined;
      count(worker, 1);
      return {
        start: (task) => worker.postMessage(task, [task.input, task.output]),
        release: () => count(worker, -1),
      };
    },
  };
}
