import { createHash, randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import {
  type ByteParts,
  type CreateHasher,
  contentOf,
  type DetectingEngine,
  detectLayer,
  type LayerContents,
  layerReaderFor,
  piecesOf,
  type Scratch,
  type ScratchContent,
  togetherReaderFor,
  wantedByAny,
} from "@plimsoll/core/internal";
import { reportMakerFor } from "../../make-report.ts";
import type { FolderReader, ImageReaders, LayerReader, TogetherReader } from "../../ports.ts";
import { formatLayerRecord } from "../../values/layer-record.ts";
import { readRoot } from "../folder/read-root.ts";
import { nodeDecompressors } from "./decompressors.ts";
import { FileWindows } from "./file-windows.ts";

/** Hashers of `node:crypto`. */
export const nodeHasher: CreateHasher = (algorithm) => {
  const hash = createHash(algorithm);
  return {
    update(bytes) {
      hash.update(bytes);
    },
    hex: () => hash.digest("hex"),
  };
};

/**
 * Reads layers and folders, and makes reports, in the calling thread, with no bounds on time and memory but the engine's limits. For
 * untrusted bytes use {@link openLayerPool}.
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const indexer = createIndexer({ engine, readers: nodeReaders(engine), cache: memoryLayerCache(), layersAtOnce: 2 });
 */
export function nodeReaders(engine: Engine): ImageReaders {
  return {
    readLayer: recording(engine),
    readFolder: folderReaderFor(engine),
    readTogether: recordingTogether(engine),
    makeReport: reportMakerFor(engine),
    decompressors: nodeDecompressors,
  };
}

const platform = { decompressors: nodeDecompressors, createHasher: nodeHasher, openScratch };

/** Reads layers and formats the findings as records. */
function recording(engine: Engine): LayerReader {
  const read = layerReaderFor(engine, platform);
  return async (layer, options) => {
    const { record, ...rest } = await read(layer, options);
    return { ...rest, record: formatLayerRecord(record) };
  };
}

function recordingTogether(engine: Engine): TogetherReader {
  const read = togetherReaderFor(engine, platform);
  return async (files, options) => formatLayerRecord(await read(files, options));
}

/** Reads folders for an engine's detectors. In a folder of source code, not of a system, its lock file detectors run too. */
export function folderReaderFor(engine: DetectingEngine): FolderReader {
  const { evidence, limits, fileDetectors = [], lockFileDetectors = [], lockedPackages = [], details } = engine;
  const wants = wantedByAny(engine);
  return async (folder, { signal } = {}) => {
    using scratch = openScratch();
    const contents = await readRoot(folder, {
      wants,
      evidence,
      fileDetectors,
      lockFileDetectors,
      lockedPackages,
      details,
      createHasher: nodeHasher,
      limits,
      scratch,
      signal,
    });
    return formatLayerRecord(detectLayer(engine, digestContents(contents), contents));
  };
}

/** A digest over path and content of every wanted file, in path order, and over the findings of inspected files. */
function digestContents({ files, inspected }: LayerContents): Digest {
  const whole = createHash("sha256");
  for (const [path, file] of files) whole.update(`${path}\0${digestOf(contentOf(file))}\n`);
  for (const [name, findings] of Object.entries(inspected).sort(([a], [b]) => (a < b ? -1 : 1))) {
    whole.update(`${name}\0${JSON.stringify(findings)}\n`);
  }
  return parseDigest(`sha256:${whole.digest("hex")}`);
}

function digestOf(content: ByteParts): string {
  const hash = createHash("sha256");
  for (const piece of piecesOf(content)) hash.update(piece);
  return hash.digest("hex");
}

/** Temporary files as scratch space. */
interface FileScratch extends Scratch, Disposable {}

/**
 * Opens scratch space in temporary files. Each file is unlinked as soon as it is open, so that a killed process leaves nothing behind.
 * @param folder the folder of the files; default: the system's folder for temporary files
 */
export function openScratch(folder: string = tmpdir()): FileScratch {
  const contents: FileContent[] = [];
  return {
    begin() {
      const file = openNameless(folder);
      if (file === undefined) return undefined;
      const content = new FileContent(file);
      contents.push(content);
      return content;
    },
    [Symbol.dispose]() {
      for (const content of contents.splice(0)) content.close();
    },
  };
}

/** Opens a file without a name; undefined if none can be created. */
function openNameless(folder: string): number | undefined {
  const path = join(folder, `plimsoll-${randomUUID()}`);
  let file: number | undefined;
  try {
    file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  } catch {
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

class FileContent implements ScratchContent {
  length = 0;
  #file: number | undefined;
  readonly #windows: FileWindows;

  constructor(file: number) {
    this.#file = file;
    this.#windows = new FileWindows(() => this.#open());
  }

  append(bytes: Uint8Array): boolean {
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#open(), bytes, at, bytes.length - at, this.length + at);
      }
    } catch {
      return false; // most likely the disk is full
    }
    this.#windows.clear(); // the last one may have been short
    this.length += bytes.length;
    return true;
  }

  clear(): void {
    ftruncateSync(this.#open());
    this.#windows.clear();
    this.length = 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#windows.clear();
  }

  subarray(start: number, end: number): Uint8Array {
    return this.#windows.read(start, Math.min(end, this.length), this.length);
  }

  /** The descriptor. That of a closed file must not be used, because the system gives it to other files. */
  #open(): number {
    if (this.#file === undefined) throw new Error("the temporary file is closed");
    return this.#file;
  }
}
