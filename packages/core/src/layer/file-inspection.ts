import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import type { BuildMark, FileDetector, FileEntry, LayerFile } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { FindingsRoom } from "./findings-room.ts";

/** What file detectors found in a layer, by their names, files in path order. */
export type InspectedFindings = Readonly<Record<string, readonly Finding[]>>;

/**
 * Shows the files of one layer to file detectors as they stream by, and keeps what these find.
 * @example
 * declare const detectors: readonly FileDetector[];
 * declare const file: LayerFile;
 * const inspection = new FileInspection(detectors, defaultLimits);
 * inspection.inspect({ path: file.path, kind: "file", sizeBytes: file.bytes.length, mode: 0o644 }, file);
 * const findings = inspection.findings(() => true);
 */
export class FileInspection {
  readonly #detectors: readonly FileDetector[];
  readonly #room: FindingsRoom;
  /** What was found, by the path of the file and the name of the detector. */
  readonly #found = new Map<string, Map<string, readonly Finding[]>>();

  constructor(detectors: readonly FileDetector[], limits: Limits) {
    this.#detectors = detectors;
    this.#room = new FindingsRoom("a layer", limits);
  }

  /** Whether any detector wants the file by its path. Symbolic links lead to files that are looked at where they are. */
  wants(info: FileEntry): boolean {
    return info.kind !== "symbolic-link" && this.#detectors.some((detector) => detector.wants(info));
  }

  /** Whether any detector wants programs with the mark. */
  wantsMark(mark: BuildMark): boolean {
    return this.#detectors.some(({ programs }) => programs === mark);
  }

  /** Whether any detector wants any programs. */
  get wantsPrograms(): boolean {
    return this.#detectors.some(({ programs }) => programs !== undefined);
  }

  /**
   * Shows a file to the detectors that want it by its path, or by a mark that was found in it.
   * @throws ScanError `entry_limit` when there is too much to find
   */
  inspect(info: FileEntry, file: LayerFile, marks: readonly BuildMark[] = []): void {
    for (const detector of this.#detectors) {
      const isMarked = detector.programs !== undefined && marks.includes(detector.programs);
      if (!isMarked && !detector.wants(info)) continue;
      const found = this.#run(detector, file);
      if (found.length === 0) continue;
      const ofFile = this.#found.get(file.path) ?? new Map<string, readonly Finding[]>();
      this.#found.set(file.path, ofFile.set(detector.name, found));
    }
  }

  /** Forgets a file that a later entry of the layer replaces. */
  forget(path: string): void {
    this.#found.delete(path);
  }

  /** What was found in files that are there at the end. */
  findings(isThere: (path: string) => boolean): InspectedFindings {
    const byDetector: Record<string, Finding[]> = {};
    for (const path of [...this.#found.keys()].filter(isThere).sort()) {
      for (const [name, found] of this.#found.get(path) ?? []) {
        byDetector[name] ??= [];
        for (const finding of found) byDetector[name].push(finding); // perhaps too many for one call
      }
    }
    return byDetector;
  }

  #run(detector: FileDetector, file: LayerFile): readonly Finding[] {
    const found: Finding[] = [];
    try {
      for (const finding of detector.detect(file)) {
        this.#room.add(finding);
        found.push(finding);
      }
    } catch (error) {
      if (error instanceof ScanError && error.code === "entry_limit") throw error;
      found.push(problemOf(detector, file, error));
    }
    return found;
  }
}

function problemOf({ name }: FileDetector, { path }: LayerFile, error: unknown): Finding {
  if (error instanceof ScanError) return { kind: "problem", path, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "problem", path, code: "detector_failed", message: `${name}: ${message}` };
}
