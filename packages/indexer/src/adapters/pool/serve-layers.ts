import { readSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Bytes, Engine } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { ScanError } from "@plimsoll/core/errors";
import type { ByteParts, FileRange, LayerBytes } from "@plimsoll/core/internal";
import { allEcosystems, engineOf } from "@plimsoll/core/internal/layer-engine";
import { recordReport } from "../../make-report.ts";
import type { TextPieces } from "../../values/text-pieces.ts";
import { javaIndexIn } from "../java-index/open-java-index.ts";
import { FileWindows } from "../platform/file-windows.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { readPipe } from "./byte-pipe.ts";
import type { LayerReading, Task, ThreadResult, ThreadSetup, ToPool, ToThread } from "./messages.ts";
import { readRecords } from "./send-records.ts";

/** The main loop of a pool's thread: every message is a {@link Task}. */
export function serveLayers(tasks: MessagePort, setup: ThreadSetup): void {
  if (setup.inBackground) yieldToOthers();
  const loading = findEngine(setup);
  const signalReady = () => tasks.postMessage("ready");
  loading.then(signalReady, signalReady); // each task reports a failure of loading
  tasks.on("message", async ({ reading, port }: Task) => {
    const send = (message: ToPool) => port.postMessage(message);
    const inbox = new Inbox(port);
    try {
      const { result, pieces } = await workFor(await loading, { reading, port, inbox });
      for (const piece of pieces) {
        send({ kind: "piece", piece });
        await inbox.next();
      }
      send({ kind: "done", result });
    } catch (error) {
      const code = error instanceof ScanError ? error.code : undefined;
      send({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
    }
    port.close();
  });
}

/**
 * Lowers the priority of the thread. On Linux each thread has its own priority; elsewhere it would apply to the whole process. A
 * priority that is already lower stays, because not every user may raise it.
 */
function yieldToOthers(): void {
  const { PRIORITY_BELOW_NORMAL: background } = constants.priority;
  if (process.platform === "linux" && getPriority() < background) setPriority(background);
}

/** The engine of the pool. */
async function findEngine({
  ecosystems,
  limits,
  module,
  state,
  details,
  files,
  javaIndex,
}: ThreadSetup): Promise<Engine> {
  if (module !== undefined) return importEngine(module, state);
  const known = new Map(allEcosystems.map((each) => [each.name, each]));
  const found = ecosystems.map((name) => {
    const ecosystem = known.get(name);
    if (ecosystem === undefined) throw new Error(`expected an ecosystem of @plimsoll/core, found ${name}`);
    return ecosystem;
  });
  const lookups = javaIndex ? { java: javaIndexIn(javaIndex) } : {};
  return engineOf({ ecosystems: found, limits, lookups, details, files, updaters: [], enrichers: [] });
}

async function importEngine(module: string, state: string): Promise<Engine> {
  const { engine }: { readonly engine?: Engine } = await import(module);
  if (engine?.state === state) return engine;
  throw new Error(`${module}: expected an export "engine" with the same state as the engine that names this module`);
}

/** The pool's messages about one task. */
class Inbox {
  readonly #giveUp = new AbortController();
  readonly #digest = Promise.withResolvers<Digest>();
  #next = Promise.withResolvers<void>();

  constructor(port: MessagePort) {
    const aborted = () => new ScanError("aborted", "reading was cancelled");
    this.#digest.promise.catch(() => {});
    this.#next.promise.catch(() => {});
    this.#giveUp.signal.addEventListener("abort", () => {
      this.#digest.reject(aborted());
      this.#next.reject(aborted());
    });
    port.on("message", (message: ToThread) => {
      if (message.kind === "digest") this.#digest.resolve(message.digest);
      else if (message.kind === "next") this.#next.resolve();
      else this.#giveUp.abort();
    });
    port.on("close", () => this.#giveUp.abort());
  }

  get signal(): AbortSignal {
    return this.#giveUp.signal;
  }

  get digest(): Promise<Digest> {
    return this.#digest.promise;
  }

  /** Resolves when the next piece may be sent. */
  async next(): Promise<void> {
    await this.#next.promise;
    this.#next = Promise.withResolvers<void>();
    this.#next.promise.catch(() => {});
    if (this.#giveUp.signal.aborted) throw new ScanError("aborted", "reading was cancelled");
  }
}

interface OpenTask extends Task {
  readonly inbox: Inbox;
}

interface TaskOutput {
  readonly result: ThreadResult;
  readonly pieces: TextPieces;
}

async function workFor(engine: Engine, { reading, port, inbox }: OpenTask): Promise<TaskOutput> {
  const readers = nodeReaders(engine);
  const { signal } = inbox;
  switch (reading.kind) {
    case "folder": {
      const { pieces, ...head } = await readers.readFolder(reading.folder, { signal });
      return { result: { kind: "folder", head }, pieces };
    }
    case "image": {
      const found = await readRecords(reading, openPipe({ port, signal }));
      const { report, records, apart } = recordReport(engine, { ...reading, ...found });
      return { result: { kind: "image", reportPieces: report.length, apart }, pieces: [...report, ...records] };
    }
    case "layer": {
      const awaited = reading.awaitsDigest ? { verifiedDigest: inbox.digest } : {};
      const layer = { ...bytesOf(reading, { port, signal }), ...awaited };
      const { record, ...read } = await readers.readLayer(layer, { signal });
      const { pieces, ...head } = record;
      return { result: { kind: "layer", read, head }, pieces };
    }
    case "together": {
      const parts = reading.parts.map(({ layer, paths }, part) => ({
        layer: bytesOf(layer, { port, signal, part }),
        paths,
      }));
      const { pieces, ...head } = await readers.readTogether({ digest: reading.digest, parts }, { signal });
      return { result: { kind: "together", head }, pieces };
    }
  }
}

interface Source {
  readonly port: MessagePort;
  readonly signal: AbortSignal;
  /** The number of the layer among several. */
  readonly part?: number;
}

/** A layer whose bytes are in a file or come from the pool. */
function bytesOf({ reopens, expected, file }: LayerReading, source: Source): LayerBytes {
  if (file === undefined) return { open: () => openPipe(source), reopens, expected };
  return { open: () => readFile(file), reopens, expected, parts: partsOf(file) };
}

/** Requests the bytes of the task from the pool. */
function openPipe({ port, signal, part = 0 }: Source): Bytes {
  const { port1, port2 } = new MessageChannel();
  signal.addEventListener("abort", () => port1.close(), { once: true });
  const message: ToPool = { kind: "open", bytes: port2, part };
  port.postMessage(message, [port2]);
  return readPipe(port1);
}

function partsOf({ fd, offset, sizeBytes }: FileRange): ByteParts {
  const windows = new FileWindows(() => fd);
  const length = offset + sizeBytes;
  return {
    length: sizeBytes,
    subarray: (start, end) => windows.read(offset + start, offset + Math.min(end, sizeBytes), length),
  };
}

const chunkBytes = 256 * 1024;
const bytesInOneTurn = 16 * 1024 ** 2;

/** A range of a file. At intervals it lets the thread handle messages. */
async function* readFile({ fd, offset, sizeBytes }: FileRange): Bytes {
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(sizeBytes, 1)));
  for (let at = 0; at < sizeBytes; ) {
    const length = readSync(fd, buffer, 0, Math.min(buffer.length, sizeBytes - at), offset + at);
    if (length === 0) return;
    at += length;
    yield buffer.subarray(0, length);
    if (at % bytesInOneTurn === 0) await nextTurn();
  }
}
