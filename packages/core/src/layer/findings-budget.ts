import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import type { Finding } from "../plugins/finding.ts";

/** Counts the findings in a layer against the limits. */
export class FindingsBudget {
  readonly #layer: string;
  readonly #limits: Limits;
  #count = 0;
  #characters = 0;

  /** @param layer names the layer in messages */
  constructor(layer: string, limits: Limits) {
    this.#layer = layer;
    this.#limits = limits;
  }

  /** Counts a finding. @throws ScanError `entry_limit` when it exceeds a limit */
  add(finding: Finding): void {
    const { maxFindings, maxFindingCharacters } = this.#limits;
    this.#count++;
    this.#characters += charactersIn(finding);
    if (this.#count > maxFindings) throw this.#full(`maxFindings, ${maxFindings} packages and other findings`);
    if (this.#characters > maxFindingCharacters) {
      throw this.#full(`maxFindingCharacters, ${maxFindingCharacters} characters of text in its findings`);
    }
  }

  #full(limit: string): ScanError {
    return new ScanError(
      "entry_limit",
      `${this.#layer}: more than ${limit}; raise it in the setting limits if you trust the image`,
    );
  }
}

/** The number of characters of all text in a plain value. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + charactersIn(member), 0);
}
