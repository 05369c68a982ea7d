import { SHARE_ENV, Worker } from "node:worker_threads";
import { inflateWorkerSource } from "./inflate-worker.source.ts";
import type { InflateTask } from "./inflate-worker.ts";

/** A thread that is lent to one stream. */
export interface InflateThread {
  start(task: InflateTask): void;
  /** Gives the thread back. */
  release(): void;
}

/** Threads that decompress, started when they are needed and kept for later. They do not keep the process alive. */
export interface InflateThreads {
  /** A thread that has nothing to do; undefined when all are busy or the platform starts none. */
  borrow(): InflateThread | undefined;
}

/** At most `maxThreads` threads. */
export function createInflateThreads(maxThreads: number): InflateThreads {
  const idle = new Set<Worker>();
  let running = 0;

  function startWorker(): Worker | undefined {
    if (running >= maxThreads) return undefined;
    try {
      const worker = new Worker(inflateWorkerSource, { eval: true, execArgv: [], env: SHARE_ENV });
      running++;
      worker.on("error", () => {}); // the thread ends, and with it its pipes: whoever reads them learns of it there
      worker.on("exit", () => {
        idle.delete(worker);
        running--;
      });
      worker.unref();
      return worker;
    } catch {
      return undefined; // no memory for a thread, or the permission model forbids it
    }
  }

  return {
    borrow() {
      const [known] = idle;
      const worker = known ?? startWorker();
      if (worker === undefined) return undefined;
      idle.delete(worker);
      return {
        start: (task) => worker.postMessage(task, [task.input, task.output]),
        release: () => {
          if (worker.threadId > 0) idle.add(worker);
        },
      };
    },
  };
}
