import type { Limits } from "../bytes/limits.ts";
import type { Engine } from "../engine.ts";
import { ScanError } from "../errors.ts";
import type { LayerContents } from "../layer/layer-contents.ts";
import type { Digest } from "../model/digest.ts";
import type { Detector, FileInfo, Finding, LayerFile, LayerFiles } from "../plugins.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** The name under which problems of the reading itself are kept, beside the detectors'. */
export const layerReader = "layer-reader";

/** The name under which evidence of packages that no detector reads is kept. */
export const evidenceFinder = "evidence-finder";

/** One test for all detectors: whether any of them wants the file. */
export function wantedByAny(detectors: readonly Detector[]): (file: FileInfo) => boolean {
  return (file) => detectors.some((detector) => detector.wants(file));
}

/** What of an engine finds things in layers. */
export type DetectingEngine = Pick<Engine, "detectors" | "limits">;

/**
 * Runs every detector over what was kept of a layer. A detector that throws becomes a problem finding; the others go on.
 * @throws ScanError `entry_limit` when there is too much to find
 */
export function detectLayer(engine: DetectingEngine, digest: Digest, contents: LayerContents): LayerFindings {
  const { detectors, limits } = engine;
  const findings: Record<string, readonly Finding[]> = {};
  if (contents.problems.length > 0) findings[layerReader] = contents.problems;
  if (contents.evidence.length > 0) findings[evidenceFinder] = contents.evidence;
  const room = new FindingsRoom(digest, limits);
  for (const detector of detectors) {
    const found = runDetector(detector, digest, contents, room);
    if (found.length > 0) findings[detector.name] = found;
  }
  return {
    digest,
    findings,
    shape: contents.shape,
    entries: contents.entries,
    uncompressedBytes: contents.uncompressedBytes,
  };
}

/** How much more may be found in a layer. */
class FindingsRoom {
  readonly #digest: Digest;
  readonly #limits: Limits;
  #count = 0;
  #characters = 0;

  constructor(digest: Digest, limits: Limits) {
    this.#digest = digest;
    this.#limits = limits;
  }

  /** @throws ScanError `entry_limit` when there is no room for it */
  add(finding: Finding): void {
    const { maxFindings, maxFindingCharacters } = this.#limits;
    this.#count++;
    this.#characters += charactersIn(finding);
    if (this.#count > maxFindings) throw this.#full(`maxFindings, ${maxFindings} packages and other findings`);
    if (this.#characters > maxFindingCharacters) {
      throw this.#full(`maxFindingCharacters, ${maxFindingCharacters} characters in what is found`);
    }
  }

  #full(limit: string): ScanError {
    return new ScanError(
      "entry_limit",
      `layer ${this.#digest}: more than ${limit}: raise it in the setting limits if you trust the image`,
    );
  }
}

/** Of all text in a plain value. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + charactersIn(member), 0);
}

/** What a detector finds. */
function runDetector(detector: Detector, digest: Digest, contents: LayerContents, room: FindingsRoom): Finding[] {
  const files = filesFor(detector, contents);
  if (files.size === 0) return [];
  const found: Finding[] = [];
  try {
    for (const finding of detector.detect(layerFiles(files))) {
      found.push(finding);
      room.add(finding);
    }
  } catch (error) {
    if (error instanceof ScanError && error.code === "entry_limit") throw error;
    const message = error instanceof Error ? error.message : String(error);
    found.push({ kind: "problem", path: digest, code: "detector_failed", message: `${detector.name}: ${message}` });
  }
  return found;
}

function filesFor(detector: Detector, contents: LayerContents): ReadonlyMap<string, LayerFile> {
  const wanted = new Map<string, LayerFile>();
  for (const [path, file] of contents.files) {
    if (detector.wants(file.info)) wanted.set(path, file);
  }
  return wanted;
}

function layerFiles(files: ReadonlyMap<string, LayerFile>): LayerFiles {
  return { get: (path) => files.get(path), [Symbol.iterator]: () => files.values() };
}
