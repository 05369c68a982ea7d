import { availableParallelism } from "node:os";
import { allEcosystems, type Bytes, type Engine, ScanError } from "@plimsoll/core";
import { type FilesTogether, withoutUndefined } from "@plimsoll/core/internal";
import type { ReportMaker } from "../../make-report.ts";
import type { FolderReader, ImageReaders, LayerReader, TogetherReader } from "../../ports.ts";
import type { LayerRecord } from "../../values/layer-record.ts";
import { nodeDecompressors } from "../platform/decompressors.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { defaultLayerBudget, type LayerBudget, threadsThatFit } from "./layer-budget.ts";
import { LayerThread, type ThreadAnswer, type ThreadWork } from "./layer-thread.ts";
import type { ThreadResult, ThreadSetup } from "./messages.ts";
import { encodeRecords } from "./send-records.ts";

/** Options of `openLayerPool`. */
export interface LayerPoolOptions {
  readonly engine: Engine;
  /** The budget of one layer. Default: {@link defaultLayerBudget}. */
  readonly budget?: Partial<LayerBudget>;
  /**
   * Layers read at the same time, each in a thread. Default: the number of processors, or fewer if the available memory does not
   * suffice for that many budgets. Threads that wait for the bytes of slow layers do not count: more are started, up to four
   * times this number in all.
   */
  readonly maxThreads?: number;
  /** Whether the threads have a lower priority than the rest of the process, on systems where threads have priorities. */
  readonly inBackground?: boolean;
}

/** Reads layers and makes reports in its own threads. Disposing ends the threads; pending reads fail with `aborted`. */
export interface LayerPool extends ImageReaders, AsyncDisposable {
  /** Starts a thread in advance, for a layer that will be read soon. */
  prepare(): void;
}

/** How long an idle thread is kept. */
const idleMs = 10_000;

/** How often threads are checked for waiting for bytes, while layers wait for a thread. */
const checkMs = 1_000;

/** A thread takes longer to start than to read a layer of this size, which therefore waits for another until the next check. */
const smallLayerBytes = 2 * 1024 ** 2;

/** The largest ratio of threads to computing threads: the others wait for bytes, which takes little memory. */
const threadsPerComputing = 4;

/**
 * Opens a pool of threads that read layers for an engine: each thread reads one layer completely. Reports are made in threads too. A
 * task that exceeds the budget fails with ScanError `layer_too_costly`; its thread is replaced, and no other layer is affected.
 *
 * Threads can load the ecosystems of `@plimsoll/core`, with a Java index in a file ({@link openJavaIndex}), and those of an engine that names
 * its module (`EngineOptions.module`). With any other engine, all work is done in the calling thread, without a budget.
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * await using readers = openLayerPool({ engine });
 * const indexer = createIndexer({ engine, readers, cache: memoryLayerCache(), layersAtOnce: 2 });
 */
export function openLayerPool(options: LayerPoolOptions): LayerPool {
  const { engine } = options;
  if (engine.module === undefined && !loadsInThreads(engine)) return inCallingThread(engine);
  const pool = new ThreadPool(options);
  return {
    readLayer: layerReader(pool),
    readFolder: folderReader(pool),
    readTogether: togetherReader(pool),
    makeReport: reportMaker(pool),
    decompressors: nodeDecompressors,
    prepare: () => pool.prepare(),
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

/** Whether threads can make the same engine: they know the ecosystems, and an index is a file. */
function loadsInThreads({ ecosystems, lookups: { java } }: Engine): boolean {
  const isOfFile = java === undefined || java.file !== undefined;
  return isOfFile && ecosystems.every((ecosystem) => allEcosystems.includes(ecosystem));
}

function inCallingThread(engine: Engine): LayerPool {
  return { ...nodeReaders(engine), prepare: () => {}, [Symbol.asyncDispose]: async () => {} };
}

function layerReader(pool: ThreadPool): LayerReader {
  return async (layer, { signal } = {}) => {
    const { reopens, expected, file, verifiedDigest } = layer;
    const name = expected.digest ?? expected.diffId;
    const { result, pieces } = await pool.read({
      reading: { kind: "layer", reopens, expected, file, awaitsDigest: verifiedDigest !== undefined },
      what: `reading ${name === undefined ? "the layer" : `layer ${name}`}`,
      open: (ended) => layer.open(ended),
      digest: verifiedDigest,
      signal,
    });
    const { read, head } = resultOf("layer", result);
    return { ...read, record: { ...head, pieces } };
  };
}

function togetherReader(pool: ThreadPool): TogetherReader {
  return async ({ digest, parts }, { signal } = {}) => {
    const { result, pieces } = await pool.read({
      reading: {
        kind: "together",
        digest,
        parts: parts.map(({ layer: { reopens, expected, file }, paths }) => ({
          layer: { reopens, expected, file },
          paths,
        })),
      },
      what: `reading ${parts.flatMap(({ paths }) => paths).join(" and ")} of two layers`,
      open: (ended, part) => openPart(parts[part], ended),
      signal,
    });
    return { ...resultOf("together", result).head, pieces };
  };
}

function openPart(part: FilesTogether["parts"][number] | undefined, signal: AbortSignal): Bytes {
  if (part === undefined) throw new Error("expected the number of a layer");
  return part.layer.open(signal);
}

function folderReader(pool: ThreadPool): FolderReader {
  return async (folder, { signal } = {}) => {
    const { result, pieces } = await pool.read({
      reading: { kind: "folder", folder },
      what: `reading folder ${folder}`,
      open: () => {
        throw new Error("a folder has no bytes");
      },
      signal,
    });
    return { ...resultOf("folder", result).head, pieces };
  };
}

/** Findings of more characters take as much memory as several threads: idle threads are ended before. */
const largeImage = 4_000_000;

function charactersIn(records: readonly LayerRecord[]): number {
  let characters = 0;
  for (const { pieces } of records) for (const piece of pieces) characters += piece.length;
  return characters;
}

function reportMaker(pool: ThreadPool): ReportMaker {
  return async ({ manifestDigest, layers, joined = [], purpose }, { signal } = {}) => {
    const headOf = ({ digest }: LayerRecord) => ({ status: "read", digest }) as const;
    const heads = layers.map((layer) => (layer.status === "read" ? headOf(layer.record) : layer));
    const records = layers.flatMap((layer) => (layer.status === "read" ? [layer.record] : []));
    if (charactersIn(records) > largeImage) pool.endIdle();
    const together = joined.map(({ files, record }) => ({ files, record: headOf(record) }));
    const { result, pieces } = await pool.read({
      reading: { kind: "image", manifestDigest, purpose, layers: heads, joined: together },
      what: `making the report of image ${manifestDigest}`,
      open: () => encodeRecords({ layers, joined }),
      signal,
    });
    const { reportPieces, apart } = resultOf("image", result);
    return { report: pieces.slice(0, reportPieces), records: pieces.slice(reportPieces), apart };
  };
}

function resultOf<Kind extends ThreadResult["kind"]>(kind: Kind, result: ThreadResult) {
  if (result.kind !== kind) throw new Error(`expected the result of a ${kind}, found that of a ${result.kind}`);
  return result as Extract<ThreadResult, { readonly kind: Kind }>;
}

function isSmall(reading: ThreadWork["reading"]): boolean {
  return reading.kind === "layer" && (reading.expected.sizeBytes ?? Number.POSITIVE_INFINITY) <= smallLayerBytes;
}

class ThreadPool {
  readonly #setup: ThreadSetup;
  readonly #budget: LayerBudget;
  readonly #maxThreads: number;
  readonly #threads = new Set<LayerThread>();
  /** Idle threads with the timers that end them, the last used last. */
  readonly #idle = new Map<LayerThread, NodeJS.Timeout>();
  /** Tasks that wait for a thread, in their order. */
  readonly #waiting = new Set<(find: () => LayerThread) => void>();
  readonly #closing = new AbortController();
  /** The number of threads that waited for bytes at the last check. */
  #awaitingBytes = 0;
  #checking: NodeJS.Timeout | undefined;

  constructor({ engine, budget, maxThreads, inBackground = false }: LayerPoolOptions) {
    const { limits, module, state, lookups, details, files } = engine;
    const ecosystems = engine.ecosystems.map(({ name }) => name);
    const { file, state: javaState = "" } = lookups.java ?? {};
    const javaIndex = file && { file, state: javaState };
    this.#setup = {
      ecosystems,
      limits,
      state,
      details,
      files,
      inBackground,
      module,
      javaIndex,
    };
    this.#budget = { ...defaultLayerBudget, ...withoutUndefined(budget ?? {}) };
    this.#maxThreads = Math.max(1, maxThreads ?? threadsThatFit(availableParallelism(), this.#budget));
  }

  prepare(): void {
    if (this.#threads.size === 0) this.#release(this.#start());
  }

  async read(work: ThreadWork): Promise<ThreadAnswer> {
    const closing = this.#closing.signal;
    const signal = work.signal === undefined ? closing : AbortSignal.any([work.signal, closing]);
    const thread = await this.#take(signal, work);
    try {
      return await thread.read({ ...work, signal });
    } finally {
      this.#release(thread);
    }
  }

  /** Ends the idle threads except one, because each keeps the garbage of its last task. */
  endIdle(): void {
    for (const [thread, timer] of [...this.#idle].slice(0, -1)) {
      clearTimeout(timer);
      this.#retire(thread);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#checking);
    this.#closing.abort(new Error("the pool was closed"));
    await Promise.all(Array.from(this.#threads, (thread) => thread.terminate()));
  }

  async #take(signal: AbortSignal, { what, reading }: ThreadWork): Promise<LayerThread> {
    const cancelled = () => new ScanError("aborted", `${what} was cancelled`, { cause: signal.reason });
    if (signal.aborted) throw cancelled();
    const mayWait = this.#threads.size > 0 && isSmall(reading);
    const mayStart = this.#threads.size < this.#maxThreads && !mayWait;
    const free = this.#takeIdle() ?? (mayStart ? this.#start() : undefined);
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
      reject(cancelled());
    };
    this.#waiting.add(take);
    this.#checking ??= setInterval(() => this.#startBeside(), checkMs).unref();
    signal.addEventListener("abort", giveUp, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  /** Starts threads for waiting tasks: as many as there are threads that wait for bytes, and up to the maximum for small layers that could wait. */
  #startBeside(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#checking);
      this.#checking = undefined;
      this.#awaitingBytes = 0;
      return;
    }
    if ([...this.#threads].some(({ isStarting }) => isStarting)) return;
    this.#awaitingBytes = [...this.#threads].filter((thread) => thread.waitsForBytes()).length;
    for (const next of [...this.#waiting]) {
      if (this.#computing >= this.#maxThreads || this.#threads.size >= threadsPerComputing * this.#maxThreads) return;
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

  /** Gives a thread to the task that waits longest. A thread that has ended is replaced. */
  #release(thread: LayerThread): void {
    if (thread.hasEnded) this.#threads.delete(thread);
    const [next] = this.#waiting;
    if (next !== undefined && this.#computing > this.#maxThreads) {
      this.#retire(thread); // threads that waited for bytes compute again
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
