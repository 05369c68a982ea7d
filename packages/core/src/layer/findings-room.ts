import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import type { Finding } from "../plugins/finding.ts";

/** How much more may be found in a layer. */
export class FindingsRoom {
  readonly #layer: string;
  readonly #limits: Limits;
  #count = 0;
  #characters = 0;

  /** @param layer as messages name it */
  constructor(layer: string, limits: Limits) {
    this.#layer = layer;
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
      `${this.#layer}: more than ${limit}: raise it in the setting limits if you trust the image`,
    );
  }
}

/** Of all text in a plain value. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + charactersIn(member), 0);
}
