const firstBytes = 1024 ** 2;

/**
 * Collects a stated number of bytes from chunks. Its memory grows with the bytes that arrive, not with the size in a header. It
 * grows in place, so that large contents are not copied.
 */
export class Collector {
  readonly #sizeBytes: number;
  readonly #buffer: ArrayBuffer;
  readonly #bytes: Uint8Array;
  #filled = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#buffer =
      sizeBytes <= firstBytes ? new ArrayBuffer(sizeBytes) : new ArrayBuffer(firstBytes, { maxByteLength: sizeBytes });
    this.#bytes = new Uint8Array(this.#buffer);
  }

  /** Copies the missing bytes from the chunk, from `start` on; returns the number of bytes copied. */
  take(chunk: Uint8Array, start: number): number {
    const count = Math.min(this.#sizeBytes - this.#filled, chunk.length - start);
    const needed = this.#filled + count;
    if (needed > this.#bytes.length) {
      this.#buffer.resize(Math.min(this.#sizeBytes, Math.max(needed, 2 * this.#bytes.length)));
    }
    this.#bytes.set(chunk.subarray(start, start + count), this.#filled);
    this.#filled = needed;
    return count;
  }

  get isFull(): boolean {
    return this.#filled === this.#sizeBytes;
  }

  /** The collected bytes, once full. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }
}
