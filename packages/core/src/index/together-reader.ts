import { MemoryBudget } from "../bytes/memory-budget.ts";
import type { TogetherReader } from "../image/image-source.ts";
import type { KeptFile, LayerContents } from "../layer/layer-contents.ts";
import { buildPathSet, nothingChanged } from "../layer/path-set.ts";
import { Problems } from "../layer/problems.ts";
import { readFiles } from "../layer/read-files.ts";
import { type DetectingEngine, detectLayer } from "./detect-layer.ts";
import type { LayerFindings } from "./layer-findings.ts";
import type { LayerPlatform } from "./layer-reader.ts";

/**
 * Makes a reader of files that belong together and are in different layers, such as a database and its write-ahead log. An engine's detectors get
 * them as the files of one layer. All contents together have the memory of one layer.
 */
export function togetherReaderFor(engine: DetectingEngine, platform: LayerPlatform): TogetherReader<LayerFindings> {
  const { decompressors, createHasher } = platform;
  const { limits } = engine;
  return async ({ digest, parts }, { signal } = {}) => {
    using scratch = platform.openScratch?.();
    const reading = { budget: new MemoryBudget(limits.maxKeptBytes, "maxKeptBytes"), problems: new Problems() };
    const files = new Map<string, KeptFile>();
    for (const { layer, paths } of parts) {
      const found = await readFiles({
        ...reading,
        open: () => layer.open(signal),
        reopens: layer.reopens,
        expected: layer.expected,
        paths: new Set(paths),
        decompressors,
        createHasher,
        limits,
        scratch,
        signal,
      });
      for (const [path, file] of found) files.set(path, file);
    }
    return detectLayer(engine, digest, contentsOf(files, reading.problems));
  };
}

/** The files as the contents of a layer. */
function contentsOf(files: ReadonlyMap<string, KeptFile>, problems: Problems): LayerContents {
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    shape: { ...nothingChanged, leaves: buildPathSet(files.keys()) },
    entries: files.size,
    sizeBytes: 0,
    uncompressedBytes: 0,
    problems: problems.list(),
    evidence: [],
    inspected: {},
    links: [],
  };
}
