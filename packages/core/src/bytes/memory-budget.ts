import { ScanError } from "../errors.ts";

/**
 * What is left of an allowance of memory.
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

  /** Takes bytes out. @throws ScanError `memory_limit` when there are not so many left */
  take(bytes: number): void {
    this.#usedBytes += bytes;
    if (this.#usedBytes <= this.#maxBytes) return;
    throw new ScanError("memory_limit", `more than ${this.#maxBytes} bytes to keep, the limit is ${this.#limitName}`);
  }
}
