import { createHash } from "node:crypto";
import {
  type DetectingEngine,
  type Digest,
  detectLayer,
  type LayerContents,
  parseDigest,
  wantedByAny,
} from "@plimsoll/core";
import type { FolderReader } from "../../image-readers.ts";
import { formatLayerRecord } from "../../layer-record.ts";
import { readRoot } from "./read-root.ts";

/** Reads folders as an engine's detectors want them. */
export function folderReaderFor(engine: DetectingEngine): FolderReader {
  const { limits } = engine;
  const wants = wantedByAny(engine.detectors);
  return async (folder, { signal } = {}) => {
    const contents = await readRoot(folder, { wants, limits, ...(signal && { signal }) });
    return formatLayerRecord(detectLayer(engine, digestContents(contents), contents));
  };
}

/** Over path and content digest of every wanted file, in path order. */
function digestContents({ files }: LayerContents): Digest {
  const whole = createHash("sha256");
  for (const [path, { bytes }] of files) {
    whole.update(`${path}\0${createHash("sha256").update(bytes).digest("hex")}\n`);
  }
  return parseDigest(`sha256:${whole.digest("hex")}`);
}
