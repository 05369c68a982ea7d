import { ScanError } from "../errors.ts";
import type { ReadingBudget } from "../plugins/detector.ts";

/** Limits for reading one archive with all nested archives. */
export interface ArchiveLimits {
  /** Nesting of archives. */
  readonly maxDepth: number;
  /** Entries of all directories. */
  readonly maxEntries: number;
  /** Archives and descriptions of packages that are read. */
  readonly maxParts: number;
  /** Uncompressed bytes of all parts that are read. */
  readonly maxBytes: number;
  /** Uncompressed bytes of nested archives that are open at the same time. */
  readonly maxOpenBytes: number;
  /** Uncompressed bytes for each byte of the outermost archive; not applied to the first `ratioFromBytes`. */
  readonly maxRatio: number;
  readonly ratioFromBytes: number;
}

/** At least ten times the values of the largest known applications. */
export const defaultArchiveLimits: ArchiveLimits = {
  maxDepth: 16,
  maxEntries: 1_000_000,
  maxParts: 20_000,
  maxBytes: 1024 ** 3,
  maxOpenBytes: 256 * 1024 ** 2,
  maxRatio: 100,
  ratioFromBytes: 64 * 1024 ** 2,
};

/** The code of the error for an exceeded limit. */
export const overLimit = "memory_limit";

/** Whether an error is an exceeded limit, which ends the reading of the outermost archive. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof ScanError && error.code === overLimit;
}

/** Counts the use of {@link ArchiveLimits} by one archive with all nested archives. Each method throws ScanError `memory_limit` that names the limit. */
export class ArchiveBudget implements ReadingBudget {
  readonly #path: string;
  readonly #limits: ArchiveLimits;
  readonly #maxBytes: number;
  #entries = 0;
  #parts = 0;
  #bytes = 0;
  #openBytes = 0;

  /** @param path of the outermost archive, for messages */
  constructor(path: string, sizeBytes: number, limits: ArchiveLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#maxBytes = Math.min(limits.maxBytes, Math.max(limits.ratioFromBytes, limits.maxRatio * sizeBytes));
  }

  checkDepth(depth: number): void {
    const { maxDepth } = this.#limits;
    if (depth > maxDepth) throw this.#over("maxDepth", `more than ${maxDepth} nested archives`);
  }

  countEntry(): void {
    const { maxEntries } = this.#limits;
    if (++this.#entries > maxEntries) throw this.#over("maxEntries", `more than ${maxEntries} entries`);
  }

  countPart(sizeBytes: number): void {
    const { maxParts } = this.#limits;
    if (++this.#parts > maxParts) throw this.#over("maxParts", `more than ${maxParts} archives and descriptions`);
    this.#bytes += sizeBytes;
    const limit = this.#maxBytes === this.#limits.maxBytes ? "maxBytes" : "maxRatio";
    if (this.#bytes > this.#maxBytes) throw this.#over(limit, `more than ${this.#maxBytes} bytes of content`);
  }

  open(sizeBytes: number): void {
    const { maxOpenBytes } = this.#limits;
    this.#openBytes += sizeBytes;
    if (this.#openBytes > maxOpenBytes) {
      throw this.#over("maxOpenBytes", `more than ${maxOpenBytes} bytes of nested archives`);
    }
  }

  close(sizeBytes: number): void {
    this.#openBytes -= sizeBytes;
  }

  #over(limit: string, found: string): ScanError {
    return new ScanError(overLimit, `${this.#path}: not read to its end, found ${found} (${limit})`);
  }
}
