/** The largest chunk of the reader. It is smaller than the queue, so that room is free again before all waiting bytes are read. */
const mostBytes = 512 * 1024;

/**
 * A buffer of fixed size between a writer and one reader that may be slower. It does not accept bytes that do not fit, and allocates
 * nothing.
 */
export class ByteQueue {
  #memory: Uint8Array;
  /** The position of the first waiting byte. */
  #first = 0;
  /** How many bytes wait, including those that are being read. */
  #waiting = 0;
  #isEnded = false;
  /** Whether the reader may still use a chunk. */
  #isLent = false;
  #wake = Promise.withResolvers<void>();

  constructor(memory: Uint8Array) {
    this.#memory = memory;
  }

  /** Copies as many bytes as fit. @returns how many bytes were copied, from the beginning of the chunk */
  offer(chunk: Uint8Array): number {
    const size = this.#memory.length;
    const accepted = Math.min(chunk.length, size - this.#waiting);
    const at = (this.#first + this.#waiting) % size;
    const untilEnd = Math.min(accepted, size - at);
    this.#memory.set(chunk.subarray(0, untilEnd), at);
    this.#memory.set(chunk.subarray(untilEnd, accepted), 0);
    this.#waiting += accepted;
    this.#wake.resolve();
    return accepted;
  }

  /** Marks the end of the bytes. */
  end(): void {
    this.#isEnded = true;
    this.#wake.resolve();
  }

  /**
   * Ends the queue and returns its memory for another one; waiting bytes are dropped. Undefined while the reader may still use a
   * chunk, and when the memory was returned already.
   */
  release(): Uint8Array | undefined {
    this.end();
    if (this.#isLent || this.#memory.length === 0) return undefined;
    const memory = this.#memory;
    this.#memory = new Uint8Array(0);
    this.#waiting = 0;
    return memory;
  }

  /** The bytes, for one reader: it must be done with each chunk when it requests the next one. */
  async *read(): AsyncIterable<Uint8Array> {
    for (;;) {
      while (this.#waiting === 0 && !this.#isEnded) await this.#woken();
      if (this.#waiting === 0) return;
      const bytes = Math.min(this.#waiting, this.#memory.length - this.#first, mostBytes);
      this.#isLent = true;
      try {
        yield this.#memory.subarray(this.#first, this.#first + bytes);
      } finally {
        this.#isLent = false;
      }
      this.#first = (this.#first + bytes) % this.#memory.length;
      this.#waiting -= bytes;
    }
  }

  async #woken(): Promise<void> {
    await this.#wake.promise;
    this.#wake = Promise.withResolvers();
  }
}
