import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from "node:worker_threads";
import { type Bytes, ScanError } from "@plimsoll/core";
import { layerWorkerOptions, layerWorkerUrl } from "../../layer-worker-url.ts";
import type { TextPieces } from "../../values/text-pieces.ts";
import { toError, writePipe } from "./byte-pipe.ts";
import type { LayerBudget } from "./layer-budget.ts";
import type { Reading, Task, ThreadResult, ThreadSetup, ToPool, ToThread } from "./messages.ts";
import { type WatchedCost, watchCost } from "./watch-cost.ts";

/** How long a thread may take to stop after its task was cancelled; then it is terminated. */
const graceMs = 1_000;

/**
 * V8's hard heap limit, as a multiple of the budget. V8 ends the whole process if a single large object does not fit. So the budget
 * is enforced by polling the heap size, and the hard limit is far above it.
 */
const hardHeapFactor = 4;

/** A thread that has used more memory than this is not reused, because it would keep its garbage while it is idle. */
const keptMegabytes = 64;

/** V8's space for new objects; its default is 48. Most of a layer's bytes are outside the heap, and more space made nothing faster. */
const youngMegabytes = 4;

/** The result of a task. */
export interface ThreadAnswer {
  readonly result: ThreadResult;
  readonly pieces: TextPieces;
}

/** A task for a thread, with the inputs that the pool provides. */
export interface ThreadWork {
  readonly reading: Reading;
  /** The task, for messages: `reading layer …`. */
  readonly what: string;
  /** Opens the bytes of a layer; `part` is its number among several. */
  open(signal: AbortSignal, part: number): Bytes;
  /** The digest that the task waits for. */
  readonly digest?: Promise<unknown>;
  readonly signal?: AbortSignal;
}

/** A thread that does one task at a time. It keeps the process alive only during a task. */
export class LayerThread {
  readonly #worker: Worker;
  readonly #budget: LayerBudget;
  /** Resolved when the thread has loaded its modules, which is not part of a layer's cost. Rejected if it ends before. */
  readonly #ready = Promise.withResolvers<void>();
  /**
   * The current task, which fails when the thread ends. If each task raced a promise of the thread's end, that promise would keep all of
   * them in memory as long as the thread lives.
   */
  #task: PendingTask | undefined;
  #reason: unknown;
  #isStarting = true;
  #hasEnded = false;

  constructor(setup: ThreadSetup, budget: LayerBudget) {
    this.#budget = budget;
    this.#ready.promise.catch(() => {});
    this.#worker = new Worker(layerWorkerUrl, {
      workerData: setup,
      env: threadEnvironment(),
      execArgv: [...layerWorkerOptions],
      resourceLimits: {
        maxOldGenerationSizeMb: hardHeapFactor * budget.layerHeapMegabytes,
        maxYoungGenerationSizeMb: youngMegabytes,
      },
    });
    this.#worker.once("message", () => {
      this.#isStarting = false;
      this.#ready.resolve();
    });
    this.#worker.on("error", (error) => {
      this.#reason ??= error;
    });
    this.#worker.on("exit", () => {
      this.#hasEnded = true;
      this.#isStarting = false;
      const reason = this.#reason ?? new Error("the thread that reads layers has ended");
      this.#ready.reject(reason);
      this.#task?.fail(reason);
    });
    this.#worker.unref();
  }

  /** Whether it cannot do tasks yet. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** Whether the thread has ended or is being terminated. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether it waits for bytes of its layer, and few have arrived since the last call. */
  waitsForBytes(): boolean {
    return this.#task?.waitsForBytes() ?? false;
  }

  /** Ends the thread at once. */
  async terminate(reason?: Error): Promise<void> {
    this.#reason ??= reason;
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  /**
   * Does a task. Afterwards the thread is free, or it has ended.
   * @throws ScanError of the task; `layer_too_costly`, `aborted`
   */
  async read(work: ThreadWork): Promise<ThreadAnswer> {
    const { port1: port, port2 } = new MessageChannel();
    const task = new PendingTask(port, work);
    const stopListening = this.#endWith(work.signal, task);
    let watched: WatchedCost | undefined;
    try {
      await this.#ready.promise;
      this.#task = task;
      const message: Task = { reading: work.reading, port: port2 };
      this.#worker.postMessage(message, [port2]);
      watched = watchCost(this.#worker, this.#budget, (limit) => {
        void this.terminate(tooCostly(work.what, limit, this.#budget));
      });
      return await task.answer;
    } catch (error) {
      throw this.#explain(error, work);
    } finally {
      this.#task = undefined;
      stopListening();
      watched?.stop();
      if ((watched?.maxBytes ?? 0) > keptMegabytes * 1024 ** 2) void this.terminate();
      task.close();
    }
  }

  /** Cancels the task when the signal is aborted, and terminates the thread if the task does not stop in time. */
  #endWith(signal: AbortSignal | undefined, task: PendingTask): () => void {
    if (signal === undefined) return () => {};
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      task.send({ kind: "abort" });
      timer = setTimeout(() => this.terminate(), graceMs);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    return () => {
      signal.removeEventListener("abort", giveUp);
      clearTimeout(timer);
    };
  }

  #explain(error: unknown, { signal, what }: ThreadWork): unknown {
    if (signal?.aborted) return new ScanError("aborted", `${what} was cancelled`, { cause: signal.reason });
    const isOutOfMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    return isOutOfMemory ? tooCostly(what, "layerHeapMegabytes", this.#budget) : error;
  }
}

/** The environment of the process. If the process has a compile cache, the thread uses it and starts in two thirds of the time. */
function threadEnvironment(): NodeJS.ProcessEnv | typeof SHARE_ENV {
  const folder = getCompileCacheDir(); // a folder for this version of Node, below the configured one
  return folder === undefined ? SHARE_ENV : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** If fewer bytes arrive between two checks, the thread counts as waiting. */
const fewBytes = 64 * 1024;

/** A running task, on the side of the pool. */
class PendingTask {
  readonly answer: Promise<ThreadAnswer>;
  /** Rejects the answer. */
  readonly fail: (reason: unknown) => void;
  readonly #port: MessagePort;
  readonly #work: ThreadWork;
  readonly #closing = new AbortController();
  /** The error of the source, which is more precise than the thread's error about missing bytes. */
  #sourceError: unknown;
  #isAwaitingBytes = false;
  /** The number of bytes that arrived since the last check; undefined before the first. */
  #arrivedBytes: number | undefined;

  constructor(port: MessagePort, work: ThreadWork) {
    this.#port = port;
    this.#work = work;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    this.answer = promise;
    this.fail = reject;
    promise.catch(() => {});
    const pieces: string[] = [];
    port.on("message", (message: ToPool) => {
      switch (message.kind) {
        case "open":
          return void this.#feed(message);
        case "piece":
          pieces.push(message.piece);
          return this.send({ kind: "next" });
        case "done":
          return resolve({ result: message.result, pieces });
        case "failed":
          return reject(this.#sourceError ?? toError(message));
      }
    });
    work.digest?.then(
      (digest) => this.send({ kind: "digest", digest } as ToThread),
      (error: unknown) => {
        this.#sourceError ??= error;
        this.send({ kind: "abort" });
      },
    );
  }

  waitsForBytes(): boolean {
    const arrived = this.#arrivedBytes;
    this.#arrivedBytes = 0;
    return this.#isAwaitingBytes && arrived !== undefined && arrived < fewBytes;
  }

  send(message: ToThread): void {
    this.#port.postMessage(message);
  }

  /** Closes the source and the port. */
  close(): void {
    this.#closing.abort();
    this.#port.close();
  }

  async *#counted(source: Bytes): Bytes {
    this.#isAwaitingBytes = true;
    for await (const chunk of source) {
      this.#isAwaitingBytes = false;
      if (this.#arrivedBytes !== undefined) this.#arrivedBytes += chunk.length;
      yield chunk;
      this.#isAwaitingBytes = true;
    }
    this.#isAwaitingBytes = false;
  }

  async #feed({ bytes, part }: Extract<ToPool, { readonly kind: "open" }>): Promise<void> {
    const { signal } = this.#work;
    const closing = this.#closing.signal;
    try {
      const source = this.#work.open(signal === undefined ? closing : AbortSignal.any([signal, closing]), part);
      await writePipe(bytes, this.#counted(source));
    } catch (error) {
      if (closing.aborted) return;
      this.#sourceError ??= error;
      this.send({ kind: "abort" }); // the thread may still be busy with bytes that were sent before
    } finally {
      bytes.close();
    }
  }
}

/** The error for exceeding a budget. @param what the task: `reading layer …` */
function tooCostly(what: string, limit: keyof LayerBudget, budget: LayerBudget): ScanError {
  const amount = {
    layerCpuSeconds: `${budget.layerCpuSeconds} s of CPU time`,
    layerHeapMegabytes: `${budget.layerHeapMegabytes} MB of memory`,
  }[limit];
  return new ScanError("layer_too_costly", `${what} takes more than ${limit}, ${amount}`);
}
