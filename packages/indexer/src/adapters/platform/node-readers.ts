import type { DetectingEngine } from "@plimsoll/core";
import type { LayerReaders } from "../../image-source.ts";
import { layerReaderFor } from "../../read-layer.ts";
import { folderReaderFor } from "../folder/read-folder.ts";
import { nodeDecompressors } from "./decompressors.ts";
import { nodeHasher } from "./hasher.ts";

/**
 * Reads layers and folders in the thread that calls, with no bounds on time and memory but the engine's limits. For
 * bytes that are not trusted there is {@link openLayerPool}.
 */
export function nodeReaders(engine: DetectingEngine): LayerReaders {
  return {
    readLayer: layerReaderFor(engine, { decompressors: nodeDecompressors, createHasher: nodeHasher }),
    readFolder: folderReaderFor(engine),
  };
}
