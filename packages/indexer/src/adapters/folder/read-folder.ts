import { createHash } from "node:crypto";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type DetectingEngine, detectLayer, type LayerContents, wantedByAny } from "@plimsoll/core/internal";
import type { FolderReader } from "../../image-readers.ts";
import { formatLayerRecord } from "../../values/layer-record.ts";
import { openScratch } from "../platform/scratch.ts";
import { readRoot } from "./read-root.ts";

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
