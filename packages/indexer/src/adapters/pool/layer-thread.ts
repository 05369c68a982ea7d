import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from "node:worker_threads";
import { type Bytes, ScanError } from "@plimsoll/core";
import { layerWorkerOptions, layerWorkerUrl } from "../../layer-worker-url.ts";
import type { TextPieces } from "../../values/text-pieces.ts";
import { writePipe } from "./byte-pipe.ts";
import { type LayerBudget, tooCostly } from "./layer-budget.ts";
import type { Reading, Task, ThreadResult, ThreadSetup, ToPool, ToThread } from "./messages.ts";
import { type WatchedCost, watchCost } from "./watch-cost.ts";

/** A thread that reads a layer in another's stead has so long to stop when told to. */
const graceMs = 1_000;

/**
 * How much more than the budget V8 lets a heap grow. It ends the whole process when a single large object does not fit, so the
 * budget is held by looking at the heap, and this is far away.
 */
const hardHeapFactor = 4;

/** A thread that has had more memory than this is not used again: it would keep garbage for as long as it has nothing to do. */
const keptMegabytes = 64;

/** Of objects that have just been made, where V8 takes 48 otherwise: most of a layer's bytes are no objects. More made nothing faster. */
const youngMegabytes = 4;

/** What a thread has made. */
export interface ThreadAnswer {
  readonly result: ThreadResult;
  readonly pieces: TextPieces;
}

/** The process's variables. Where the process keeps compiled code, a thread finds it there: it starts in two thirds of the time. */
function threadEnvironment(): NodeJS.ProcessEnv | typeof SHARE_ENV {
  const folder = getCompileCacheDir(); // below the one that is set, by version of Node
  return folder === undefined ? SHARE_ENV : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** What a thread is to read, and what it needs from here for that. */
export interface ThreadWork {
  readonly reading: Reading;
  /** What is done, for messages: `reading layer …`. */
  readonly what: string;
  /** Starts the bytes of a layer. */
  open(signal: AbortSignal): Bytes;
  /** Tells the digest that the reading awaits. */
  readonly digest?: Promise<unknown>;
  readonly signal?: AbortSignal;
}

/** A thread that reads one layer at a time. It does not keep the process alive unless it reads. */
export class LayerThread {
  readonly #worker: Worker;
  readonly #budget: LayerBudget;
  /** Resolved when the thread has loaded what it needs: that is no cost of a layer. Rejected when it ends before. */
  readonly #ready = Promise.withResolvers<void>();
  /**
   * What is being read, which fails when the thread ends. A promise of the end that each reading raced would keep them all for as long
   * as the thread lives.
   */
  #task: PendingTask | undefined;
  #reason: unknown;
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
    this.#worker.once("message", () => this.#ready.resolve());
    this.#worker.on("error", (error) => {
      this.#reason ??= error;
    });
    this.#worker.on("exit", () => {
      this.#hasEnded = true;
      const reason = this.#reason ?? new Error("the thread that reads layers has ended");
      this.#ready.reject(reason);
      this.#task?.fail(reason);
    });
    this.#worker.unref();
  }

  /** Whether it is of no use any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether it waits for bytes of its layer, of which few have come since it was asked this before. */
  waitsForBytes(): boolean {
    return this.#task?.waitsForBytes() ?? false;
  }

  /** Ends the thread, whatever it does. */
  async terminate(reason?: Error): Promise<void> {
    this.#reason ??= reason;
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  /**
   * Reads. The thread is free again when this has ended, or has ended itself.
   * @throws ScanError as reading does; `layer_too_costly`, `aborted`
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
      if ((watched?.mostBytes ?? 0) > keptMegabytes * 1024 ** 2) void this.terminate();
      task.close();
    }
  }

  /** A thread that goes on although its work was given up is ended. */
  #endWith(signal: AbortSignal | undefined, task: PendingTask): () => void {
    if (signal === undefined) return () => {};
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      task.tell({ kind: "abort" });
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

/** When fewer bytes come between two looks, a thread has next to nothing to do. */
const fewBytes = 64 * 1024;

/** One task as the pool sees it. */
class PendingTask {
  readonly answer: Promise<ThreadAnswer>;
  /** Ends it without an answer. */
  readonly fail: (reason: unknown) => void;
  readonly #port: MessagePort;
  readonly #work: ThreadWork;
  readonly #closing = new AbortController();
  /** Why the bytes could not be had: it says more than what the thread made of it. */
  #sourceError: unknown;
  #isAwaitingBytes = false;
  /** How many bytes have come since the last look; undefined before the first. */
  #cameBytes: number | undefined;

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
          return void this.#feed(message.bytes);
        case "piece":
          pieces.push(message.piece);
          return this.tell({ kind: "next" });
        case "done":
          return resolve({ result: message.result, pieces });
        case "failed":
          return reject(this.#sourceError ?? toError(message));
      }
    });
    work.digest?.then(
      (digest) => this.tell({ kind: "digest", digest } as ToThread),
      (error: unknown) => {
        this.#sourceError ??= error;
        this.tell({ kind: "abort" });
      },
    );
  }

  waitsForBytes(): boolean {
    const came = this.#cameBytes;
    this.#cameBytes = 0;
    return this.#isAwaitingBytes && came !== undefined && came < fewBytes;
  }

  tell(message: ToThread): void {
    this.#port.postMessage(message);
  }

  /** Lets go of the bytes. */
  close(): void {
    this.#closing.abort();
    this.#port.close();
  }

  async *#noting(source: Bytes): Bytes {
    this.#isAwaitingBytes = true;
    for await (const chunk of source) {
      this.#isAwaitingBytes = false;
      if (this.#cameBytes !== undefined) this.#cameBytes += chunk.length;
      yield chunk;
      this.#isAwaitingBytes = true;
    }
    this.#isAwaitingBytes = false;
  }

  async #feed(bytes: MessagePort): Promise<void> {
    const { signal } = this.#work;
    const closing = this.#closing.signal;
    const source = this.#work.open(signal === undefined ? closing : AbortSignal.any([signal, closing]));
    try {
      await writePipe(bytes, this.#noting(source));
    } catch (error) {
      if (closing.aborted) return;
      this.#sourceError ??= error;
      this.tell({ kind: "abort" }); // what was sent before may take the thread long
    } finally {
      bytes.close();
    }
  }
}

function toError({ code, message }: Extract<ToPool, { readonly kind: "failed" }>): Error {
  return code === undefined ? new Error(message) : new ScanError(code, message);
}
