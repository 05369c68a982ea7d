import { readSync } from "node:fs";

/** The file is read in windows, and the last ones are cached, so that neighbouring ranges cost one read. */
const windowBytes = 64 * 1024;
const maxWindows = 32;

/** Reads ranges of an open file. Keeps at most 2 MB of it in memory. */
export class FileWindows {
  readonly #open: () => number;
  readonly #windows = new Map<number, Uint8Array>();

  /** @param open the descriptor of the file */
  constructor(open: () => number) {
    this.#open = open;
  }

  /** The bytes from `start` to before `end` of a file with `length` bytes. @throws Error if the file is shorter */
  read(start: number, end: number, length: number): Uint8Array {
    const windowStart = start - (start % windowBytes);
    if (end > windowStart + windowBytes) return this.#load(start, end);
    return this.#window(windowStart, length).subarray(start - windowStart, Math.max(start, end) - windowStart);
  }

  /** Forgets what it has read. */
  clear(): void {
    this.#windows.clear();
  }

  #window(start: number, length: number): Uint8Array {
    const known = this.#windows.get(start);
    if (known !== undefined) return known;
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined && this.#windows.size === maxWindows) this.#windows.delete(oldest);
    const bytes = this.#load(start, Math.min(start + windowBytes, length));
    this.#windows.set(start, bytes);
    return bytes;
  }

  #load(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, end - start));
    for (let filled = 0; filled < bytes.length; ) {
      const count = readSync(this.#open(), bytes, filled, bytes.length - filled, start + filled);
      if (count === 0) throw new Error(`expected ${end} bytes in a file, found ${start + filled}`);
      filled += count;
    }
    return bytes;
  }
}
