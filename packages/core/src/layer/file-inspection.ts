import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import { atOnce } from "../model/at-once.ts";
import type { BuildMark, FileDetector, FileEntry, LayerFile } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { checkedFindings } from "./checked-findings.ts";
import { FindingsBudget } from "./findings-budget.ts";

/** Findings of file detectors in one layer, by the detector's name; files in path order. */
export type InspectedFindings = Readonly<Record<string, readonly Finding[]>>;

/**
 * Runs file detectors on the files of one layer while they stream by, and keeps the findings.
 * @example
 * declare const detectors: readonly FileDetector[];
 * declare const file: LayerFile;
 * const inspection = new FileInspection(detectors, defaultLimits);
 * inspection.inspect({ path: file.path, kind: "file", sizeBytes: file.bytes.length, mode: 0o644 }, file);
 * const findings = inspection.findings(() => true);
 */
export class FileInspection {
  readonly #detectors: readonly FileDetector[];
  readonly #budget: FindingsBudget;
  /** Findings by the path of the file and the name of the detector. */
  readonly #found = new Map<string, Map<string, readonly Finding[]>>();
  /** The first problem of each detector that cannot say which files it wants. */
  readonly #failures = new Map<string, Finding>();

  constructor(detectors: readonly FileDetector[], limits: Limits) {
    this.#detectors = detectors;
    this.#budget = new FindingsBudget("a layer", limits);
  }

  /** Whether any detector wants the file by its path. Symbolic links are not wanted: their targets are inspected themselves. */
  wants(info: FileEntry): boolean {
    return info.kind !== "symbolic-link" && this.#detectors.some((detector) => this.#isWanted(detector, info));
  }

  /** Whether any detector wants programs with this build mark. */
  wantsMark(mark: BuildMark): boolean {
    return this.#detectors.some(({ programs }) => programs === mark);
  }

  /** Whether any detector wants programs by a build mark. */
  get wantsPrograms(): boolean {
    return this.#detectors.some(({ programs }) => programs !== undefined);
  }

  /**
   * Runs the detectors that want a file by its path, or by a build mark that was found in it.
   * @throws ScanError `entry_limit` when there are more findings than the limits allow
   */
  inspect(info: FileEntry, file: LayerFile, marks: readonly BuildMark[] = []): void {
    for (const detector of this.#detectors) {
      const isMarked = detector.programs !== undefined && marks.includes(detector.programs);
      if (!isMarked && !this.#isWanted(detector, info)) continue;
      const found = this.#run(detector, file);
      if (found.length === 0) continue;
      const ofFile = this.#found.get(file.path) ?? new Map<string, readonly Finding[]>();
      this.#found.set(file.path, ofFile.set(detector.name, found));
    }
  }

  /** Discards the findings of a file that a later entry of the layer replaces. */
  forget(path: string): void {
    this.#found.delete(path);
  }

  /** The findings in files that the finished layer contains. */
  findings(isThere: (path: string) => boolean): InspectedFindings {
    const byDetector: Record<string, Finding[]> = {};
    for (const [name, failure] of this.#failures) byDetector[name] = [failure];
    for (const path of [...this.#found.keys()].filter(isThere).sort()) {
      for (const [name, found] of this.#found.get(path) ?? []) {
        byDetector[name] ??= [];
        for (const finding of found) byDetector[name].push(finding); // may be too many for the arguments of one call
      }
    }
    return byDetector;
  }

  #isWanted(detector: FileDetector, info: FileEntry): boolean {
    try {
      return atOnce(detector.wants(info), `wants of ${detector.name}`);
    } catch (error) {
      if (!this.#failures.has(detector.name)) this.#failures.set(detector.name, problemOf(detector, info, error));
      return false;
    }
  }

  #run(detector: FileDetector, file: LayerFile): readonly Finding[] {
    const found: Finding[] = [];
    try {
      for (const finding of checkedFindings(detector.detect(file), { path: file.path, name: detector.name })) {
        this.#budget.add(finding);
        found.push(finding);
      }
    } catch (error) {
      if (error instanceof ScanError && error.code === "entry_limit") throw error;
      found.push(problemOf(detector, file, error));
    }
    return found;
  }
}

function problemOf({ name }: FileDetector, { path }: Pick<LayerFile, "path">, error: unknown): Finding {
  if (error instanceof ScanError) return { kind: "problem", path, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "problem", path, code: "detector_failed", message: `${name}: ${message}` };
}
