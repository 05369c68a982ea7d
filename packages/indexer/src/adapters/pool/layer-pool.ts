import { availableParallelism } from "node:os";
import { allEcosystems, type Engine, ScanError } from "@plimsoll/core";
import type { FolderReader, ImageReaders, LayerReader } from "../../image-readers.ts";
import type { ReportMaker } from "../../make-report.ts";
import { nodeDecompressors } from "../platform/decompressors.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { defaultLayerBudget, type LayerBudget } from "./layer-budget.ts";
import { LayerThread, type ThreadAnswer, type ThreadWork } from "./layer-thread.ts";
import type { ThreadResult, ThreadSetup } from "./messages.ts";
import { encodeRecords } from "./send-records.ts";
import { threadsThatFit } from "./threads-that-fit.ts";

/** Options of `openLayerPool`. */
export interface LayerPoolOptions {
  readonly engine: Engine;
  /** What reading one layer may cost, where it differs from {@link defaultLayerBudget}. */
  readonly budget?: Partial<LayerBudget>;
  /**
   * Layers read at the same time, each in a thread. Where absent: as many as there are processors, if all of them together have room in
   * the memory that is available when each takes its budget; otherwise fewer. Threads whose layers come slowly do not count: others are
   * started beside them, up to four times as many in all.
   */
  readonly maxThreads?: number;
  /** Whether whatever else the process does goes first, where threads have priorities. */
  readonly inBackground?: boolean;
}

/** Reads layers and makes reports in threads of its own. Disposing ends them, and what they read with `aborted`. */
export interface LayerPool extends ImageReaders, AsyncDisposable {
  /** Starts a thread for the layer that is about to come. */
  prepare(): void;
}

/** A thread that has nothing to do is kept for so long. */
const idleMs = 10_000;

/** While layers wait, threads are looked at so often that wait for bytes. */
const lookMs = 1_000;

/** There are at most so many threads for each that may compute: the others wait for bytes, which takes little memory. */
const threadsForEach = 4;

/**
 * Opens a pool of threads that read layers for an engine: one layer a thread, all of it there. Reports are made there too. What
 * costs more than the budget ends in ScanError `layer_too_costly`; its thread is replaced and no other layer is affected.
 *
 * Threads have the ecosystems that come with `@plimsoll/core`, and those of an engine that names its module
 * (`EngineOptions.module`). With any other engine all is done in the calling thread, without a budget.
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * await using readers = openLayerPool({ engine });
 * const indexer = createIndexer({ engine, readers, cache: memoryLayerCache(), layersAtOnce: 2 });
 */
export function openLayerPool(options: LayerPoolOptions): LayerPool {
  const { engine } = options;
  if (engine.module === undefined && !hasOnlyOwnEcosystems(engine)) return inCallingThread(engine);
  const pool = new ThreadPool(options);
  return {
    readLayer: layerReader(pool),
    readFolder: folderReader(pool),
    makeReport: reportMaker(pool),
    decompressors: nodeDecompressors,
    prepare: () => pool.prepare(),
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

function hasOnlyOwnEcosystems({ ecosystems }: Engine): boolean {
  return ecosystems.every((ecosystem) => allEcosystems.includes(ecosystem));
}

function inCallingThread(engine: Engine): LayerPool {
  return { ...nodeReaders(engine), prepare: () => {}, [Symbol.asyncDispose]: async () => {} };
}

function layerReader(pool: ThreadPool): LayerReader {
  return async (layer, { signal } = {}) => {
    const { reopens, expected, file, verifiedDigest } = layer;
    const name = expected.digest ?? expected.diffId;
    const { result, pieces } = await pool.read({
      reading: { kind: "layer", reopens, expected, ...(file && { file }), awaitsDigest: verifiedDigest !== undefined },
      what: `reading ${name === undefined ? "the layer" : `layer ${name}`}`,
      open: (ended) => layer.open(ended),
      ...(verifiedDigest && { digest: verifiedDigest }),
      ...(signal && { signal }),
    });
    const { read, head } = resultOf("layer", result);
    return { ...read, record: { ...head, pieces } };
  };
}

function folderReader(pool: ThreadPool): FolderReader {
  return async (folder, { signal } = {}) => {
    const { result, pieces } = await pool.read({
      reading: { kind: "folder", folder },
      what: `reading folder ${folder}`,
      open: () => {
        throw new Error("a folder has no bytes");
      },
      ...(signal && { signal }),
    });
    return { ...resultOf("folder", result).head, pieces };
  };
}

/** What was found in an image of so many characters takes as much memory as some threads. */
const largeImage = 4_000_000;

function charactersIn(layers: Parameters<ReportMaker>[0]["layers"]): number {
  let characters = 0;
  for (const layer of layers) {
    if (layer.status === "read") for (const piece of layer.record.pieces) characters += piece.length;
  }
  return characters;
}

function reportMaker(pool: ThreadPool): ReportMaker {
  return async ({ manifestDigest, layers, purpose }, { signal } = {}) => {
    const heads = layers.map((layer) =>
      layer.status === "read" ? ({ status: "read", digest: layer.record.digest } as const) : layer,
    );
    if (charactersIn(layers) > largeImage) pool.endIdle();
    const { result, pieces } = await pool.read({
      reading: { kind: "image", manifestDigest, purpose, layers: heads },
      what: `making the report of image ${manifestDigest}`,
      open: () => encodeRecords(layers),
      ...(signal && { signal }),
    });
    const { reportPieces } = resultOf("image", result);
    return { report: pieces.slice(0, reportPieces), records: pieces.slice(reportPieces) };
  };
}

function resultOf<Kind extends ThreadResult["kind"]>(kind: Kind, result: ThreadResult) {
  if (result.kind !== kind) throw new Error(`expected the result of a ${kind}, found that of a ${result.kind}`);
  return result as Extract<ThreadResult, { readonly kind: Kind }>;
}

class ThreadPool {
  readonly #setup: ThreadSetup;
  readonly #budget: LayerBudget;
  readonly #maxThreads: number;
  readonly #threads = new Set<LayerThread>();
  /** With the timers that end them; the one that was used last is last. */
  readonly #idle = new Map<LayerThread, NodeJS.Timeout>();
  /** Layers that wait for a thread, in their order. */
  readonly #waiting = new Set<(find: () => LayerThread) => void>();
  readonly #closing = new AbortController();
  /** How many threads waited for bytes when they were looked at. */
  #awaitingBytes = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor({ engine, budget, maxThreads, inBackground = false }: LayerPoolOptions) {
    const { limits, module, state } = engine;
    const ecosystems = engine.ecosystems.map(({ name }) => name);
    this.#setup = { ecosystems, limits, state, inBackground, ...(module === undefined ? {} : { module }) };
    this.#budget = { ...defaultLayerBudget, ...budget };
    this.#maxThreads = Math.max(1, maxThreads ?? threadsThatFit(availableParallelism(), this.#budget));
  }

  prepare(): void {
    if (this.#threads.size === 0) this.#release(this.#start());
  }

  async read(work: ThreadWork): Promise<ThreadAnswer> {
    const closing = this.#closing.signal;
    const signal = work.signal === undefined ? closing : AbortSignal.any([work.signal, closing]);
    const thread = await this.#take(signal, work.what);
    try {
      return await thread.read({ ...work, signal });
    } finally {
      this.#release(thread);
    }
  }

  /** Ends the threads that have nothing to do, but for one: each keeps the garbage of what it has read. */
  endIdle(): void {
    for (const [thread, timer] of [...this.#idle].slice(0, -1)) {
      clearTimeout(timer);
      this.#retire(thread);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#closing.abort(new Error("the pool was closed"));
    await Promise.all(Array.from(this.#threads, (thread) => thread.terminate()));
  }

  async #take(signal: AbortSignal, what: string): Promise<LayerThread> {
    const givenUp = () => new ScanError("aborted", `${what} was cancelled`, { cause: signal.reason });
    if (signal.aborted) throw givenUp();
    const free = this.#takeIdle() ?? (this.#threads.size < this.#maxThreads ? this.#start() : undefined);
    if (free !== undefined) return free;
    const { promise, resolve, reject } = Promise.withResolvers<LayerThread>();
    const take = (find: () => LayerThread) => {
      try {
        resolve(find());
      } catch (error) {
        reject(error);
      }
    };
    const giveUp = () => {
      this.#waiting.delete(take);
      reject(givenUp());
    };
    this.#waiting.add(take);
    this.#looking ??= setInterval(() => this.#startBeside(), lookMs).unref();
    signal.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  /** Starts threads for layers that wait, beside those whose layers do not come. */
  #startBeside(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      this.#awaitingBytes = 0;
      return;
    }
    this.#awaitingBytes = [...this.#threads].filter((thread) => thread.waitsForBytes()).length;
    for (const next of [...this.#waiting]) {
      if (this.#computing >= this.#maxThreads || this.#threads.size >= threadsForEach * this.#maxThreads) return;
      this.#waiting.delete(next);
      next(() => this.#start());
    }
  }

  get #computing(): number {
    return this.#threads.size - this.#awaitingBytes;
  }

  #takeIdle(): LayerThread | undefined {
    for (const [thread, timer] of [...this.#idle].reverse()) {
      clearTimeout(timer);
      this.#idle.delete(thread);
      if (!thread.hasEnded) return thread;
      this.#threads.delete(thread);
    }
    return undefined;
  }

  #start(): LayerThread {
    const thread = new LayerThread(this.#setup, this.#budget);
    this.#threads.add(thread);
    return thread;
  }

  /** Gives a thread to the layer that waits longest; one that has ended is replaced. */
  #release(thread: LayerThread): void {
    if (thread.hasEnded) this.#threads.delete(thread);
    const [next] = this.#waiting;
    if (next !== undefined && this.#computing > this.#maxThreads) {
      this.#retire(thread); // the layers of the others come again
    } else if (next !== undefined) {
      this.#waiting.delete(next);
      next(() => (thread.hasEnded ? this.#start() : thread));
    } else if (!thread.hasEnded) {
      this.#idle.set(thread, setTimeout(() => this.#retire(thread), idleMs).unref());
    }
  }

  #retire(thread: LayerThread): void {
    this.#idle.delete(thread);
    this.#threads.delete(thread);
    void thread.terminate();
  }
}
