import { ScanError } from "../errors.ts";

/**
 * A cap on the bytes that a reader keeps in memory.
 * @example
 * const budget = new MemoryBudget(1_000_000, "maxKeptBytes");
 * budget.take(400_000);
 */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #limitName: string;
  #usedBytes = 0;

  constructor(maxBytes: number, limitName: string) {
    this.#maxBytes = maxBytes;
    this.#limitName = limitName;
  }

  /** Counts bytes as used. @throws ScanError `memory_limit` when more than the cap are used */
  take(bytes: number): void {
    this.#usedBytes += bytes;
    if (this.#usedBytes <= this.#maxBytes) return;
    const found = `expected at most ${this.#maxBytes} bytes to keep, found ${this.#usedBytes}`;
    throw new ScanError("memory_limit", `${found}; the limit is ${this.#limitName}`);
  }
}
