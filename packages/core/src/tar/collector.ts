const firstBytes = 1024 ** 2;

/** Gathers a stated number of bytes from chunks. Its memory grows with what arrives, not with what a header states. */
export class Collector {
  readonly #sizeBytes: number;
  #bytes: Uint8Array;
  #filled = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#bytes = new Uint8Array(Math.min(sizeBytes, firstBytes));
  }

  /** Copies what is still missing from the chunk, from `start` on; returns how many bytes that was. */
  take(chunk: Uint8Array, start: number): number {
    const count = Math.min(this.#sizeBytes - this.#filled, chunk.length - start);
    if (this.#filled + count > this.#bytes.length) this.#grow(this.#filled + count);
    this.#bytes.set(chunk.subarray(start, start + count), this.#filled);
    this.#filled += count;
    return count;
  }

  get isFull(): boolean {
    return this.#filled === this.#sizeBytes;
  }

  /** The gathered bytes, once full. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  #grow(neededBytes: number): void {
    const grown = new Uint8Array(Math.min(this.#sizeBytes, Math.max(neededBytes, 2 * this.#bytes.length)));
    grown.set(this.#bytes.subarray(0, this.#filled));
    this.#bytes = grown;
  }
}
