import { readSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { allEcosystems, type Bytes, type DetectingEngine, type Digest, type Engine, ScanError } from "@plimsoll/core";
import type { FileRange, LayerBytes, LayerReaders } from "../../image-source.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { readPipe } from "./byte-pipe.ts";
import type { PackedLayer, Reading, Task, ThreadSetup, ToPool, ToThread } from "./messages.ts";
import { memoryOf, packFindings } from "./pack-findings.ts";

/** What a thread of a pool does: every message is a {@link Task}. */
export function serveLayers(tasks: MessagePort, setup: ThreadSetup): void {
  if (setup.inBackground) yieldToOthers();
  const loading = findEngine(setup).then(nodeReaders);
  const sayReady = () => tasks.postMessage("ready");
  loading.then(sayReady, sayReady); // why it failed, every task tells
  tasks.on("message", async ({ reading, port }: Task) => {
    const tell = (message: ToPool, memory: ArrayBuffer[] = []) => port.postMessage(message, memory);
    try {
      const result = await readFor(await loading, reading, port);
      tell({ kind: "done", result }, memoryOf(result.findings));
    } catch (error) {
      const code = error instanceof ScanError ? error.code : undefined;
      tell({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
    }
    port.close();
  });
}

/**
 * On Linux a thread has a priority of its own; elsewhere it would be the whole process's. One that is lower stays: not everybody
 * may raise it.
 */
function yieldToOthers(): void {
  const { PRIORITY_BELOW_NORMAL: background } = constants.priority;
  if (process.platform === "linux" && getPriority() < background) setPriority(background);
}

/** The detectors that the pool's engine has. */
async function findEngine({ detectors, limits, module, state }: ThreadSetup): Promise<DetectingEngine> {
  if (module !== undefined) return importEngine(module, state);
  const known = new Map(allEcosystems.flatMap((ecosystem) => ecosystem.detectors.map((each) => [each.name, each])));
  const found = detectors.map((name) => {
    const detector = known.get(name);
    if (detector === undefined) throw new Error(`no detector ${name} comes with the engine`);
    return detector;
  });
  return { detectors: found, limits };
}

async function importEngine(module: string, state: string): Promise<DetectingEngine> {
  const { engine }: { readonly engine?: Engine } = await import(module);
  if (engine?.state === state) return engine;
  throw new Error(`${module}: expected an export "engine" that finds what the engine that names this module finds`);
}

async function readFor(readers: LayerReaders, reading: Reading, port: MessagePort): Promise<PackedLayer> {
  const giveUp = new AbortController();
  const digest = Promise.withResolvers<Digest>();
  port.on("message", (message: ToThread) => {
    if (message.kind === "digest") digest.resolve(message.digest);
    else giveUp.abort();
  });
  giveUp.signal.addEventListener("abort", () => digest.reject(new ScanError("aborted", "reading was given up")));
  digest.promise.catch(() => {});
  const { signal } = giveUp;
  if (reading.kind === "folder") {
    const findings = packFindings(await readers.readFolder(reading.folder, { signal }));
    return { findings, digest: findings.digest, sizeBytes: findings.uncompressedBytes };
  }
  const { reopens, expected, file, awaitsDigest } = reading;
  const layer: LayerBytes = {
    open: () => (file === undefined ? openPipe(port, signal) : readFile(file)),
    reopens,
    expected,
    ...(awaitsDigest && { verifiedDigest: digest.promise }),
  };
  const read = await readers.readLayer(layer, { signal });
  return { ...read, findings: packFindings(read.findings) };
}

/** Bytes that the pool has. */
function openPipe(port: MessagePort, signal: AbortSignal): Bytes {
  const { port1, port2 } = new MessageChannel();
  signal.addEventListener("abort", () => port1.close(), { once: true });
  const message: ToPool = { kind: "open", bytes: port2 };
  port.postMessage(message, [port2]);
  return readPipe(port1);
}

const chunkBytes = 256 * 1024;
const bytesInOneTurn = 16 * 1024 ** 2;

/** A part of a file; now and then the thread looks for messages. */
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
