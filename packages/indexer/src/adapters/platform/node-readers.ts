import type { Engine } from "@plimsoll/core";
import type { ImageReaders } from "../../image-source.ts";
import { reportMakerFor } from "../../make-report.ts";
import { layerReaderFor } from "../../read-layer.ts";
import { folderReaderFor } from "../folder/read-folder.ts";
import { nodeDecompressors } from "./decompressors.ts";
import { nodeHasher } from "./hasher.ts";
import { openScratch } from "./scratch.ts";

/**
 * Reads layers and folders, and makes reports, in the thread that calls, with no bounds on time and memory but the engine's limits. For
 * bytes that are not trusted there is {@link openLayerPool}.
 */
export function nodeReaders(engine: Engine): ImageReaders {
  return {
    readLayer: layerReaderFor(engine, { decompressors: nodeDecompressors, createHasher: nodeHasher, openScratch }),
    readFolder: folderReaderFor(engine),
    makeReport: reportMakerFor(engine),
  };
}
