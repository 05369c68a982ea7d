import { createHash } from "node:crypto";
import type { Engine } from "@plimsoll/core";
import { type CreateHasher, layerReaderFor, togetherReaderFor } from "@plimsoll/core/internal";
import type { ImageReaders, LayerReader, TogetherReader } from "../../image-readers.ts";
import { reportMakerFor } from "../../make-report.ts";
import { formatLayerRecord } from "../../values/layer-record.ts";
import { folderReaderFor } from "../folder/read-folder.ts";
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
