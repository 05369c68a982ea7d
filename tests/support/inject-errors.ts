/** Loaded before a program of the tests: makes errors of the kinds that a message names, which no code of the program handles. */
import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";

/** What a test may ask for. */
export type InjectedError = "event" | "rejection" | "exception" | "warning" | "thread";

const errors: Readonly<Record<InjectedError, () => void>> = {
  event: () => void new EventEmitter().emit("error", new Error("injected: the broker went away")),
  rejection: () => void Promise.reject(new Error("injected: no code awaits this")),
  exception: () => {
    throw new TypeError("injected: a mistake");
  },
  warning: () => process.emitWarning("injected: look at this"),
  thread: () => {
    for (const worker of workers) void worker.terminate();
  },
};

/** The threads of the program. */
const workers = new Set<Worker>();

process.on("worker", (worker) => void workers.add(worker));
process.on("message", (kind: InjectedError) => setImmediate(errors[kind]));
process.channel?.unref();
