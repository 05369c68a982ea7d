import { createHash } from "node:crypto";
import type { Engine } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import {
  type CreateHasher,
  type DetectingEngine,
  detectLayer,
  type LayerContents,
  layerReaderFor,
  togetherReaderFor,
  wantedByAny,
} from "@plimsoll/core/internal";
import { reportMakerFor } from "../../make-report.ts";
import type { FolderReader, ImageReaders, LayerReader, TogetherReader } from "../../ports.ts";
import { formatLayerRecord } from "../../values/layer-record.ts";
import { readRoot } from "../folder/read-root.ts";
import { nodeDecompressors } from "./decompressors.ts";
import { openScratch } from "./scratch.ts";

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
  const { evidence, limits, fileDetectors = [], lockFileDetectors = [], lockedPackages = [] } = engine;
  const wants = wantedByAny(engine);
  return async (folder, { signal } = {}) => {
    using scratch = openScratch();
    const contents = await readRoot(folder, {
      wants,
      evidence,
      fileDetectors,
      lockFileDetectors,
      lockedPackages,
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
  for (const [path, { bytes }] of files) {
    whole.update(`${path}\0${createHash("sha256").update(bytes).digest("hex")}\n`);
  }
  for (const [name, findings] of Object.entries(inspected).sort(([a], [b]) => (a < b ? -1 : 1))) {
    whole.update(`${name}\0${JSON.stringify(findings)}\n`);
  }
  return parseDigest(`sha256:${whole.digest("hex")}`);
}
