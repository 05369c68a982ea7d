import type { ScanErrorCode } from "../errors.ts";
import type { ProblemFinding } from "../plugins/finding.ts";

const maxProblems = 1000;

/** The problems of one layer, one for each path and code. The first thousand are kept, the others only counted. */
export class Problems {
  readonly #problems = new Map<string, ProblemFinding>();
  #dropped = 0;

  /** Adds a problem with a path, unless the path has one with the same code. */
  add(path: string, code: ScanErrorCode, message: string): void {
    const key = `${code}:${path}`;
    if (this.#problems.has(key)) return;
    if (this.#problems.size < maxProblems) this.#problems.set(key, { kind: "problem", path, code, message });
    else this.#dropped++;
  }

  /** All problems; the last one counts those that were not kept. */
  list(): ProblemFinding[] {
    const problems = [...this.#problems.values()];
    if (this.#dropped === 0) return problems;
    const message = `${this.#dropped} more problems of this layer were left out`;
    return [...problems, { kind: "problem", path: "", code: "entry_limit", message }];
  }
}
