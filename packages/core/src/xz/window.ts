/** Most files are smaller than the window that they ask for. */
const firstBytes = 64 * 1024;

/** Beyond it the window is made at once: systems give memory when it is written to, and windows that grow leave theirs behind for a time. */
const growingBytes = 1024 ** 2;

/** The bytes that were decoded last, which later ones refer to. Takes no more memory than there are bytes, twice at most. */
export class Window {
  readonly #sizeBytes: number;
  #bytes: Uint8Array;
  #at = 0;
  /** Bytes that may be referred to. */
  #known = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#bytes = new Uint8Array(Math.min(sizeBytes, firstBytes));
  }

  /** Forgets all bytes. */
  reset(): void {
    this.#known = 0;
  }

  put(byte: number): void {
    this.#bytes[this.#at++] = byte;
    if (this.#known < this.#bytes.length) this.#known++;
    if (this.#at === this.#bytes.length) this.#passEnd();
  }

  #passEnd(): void {
    if (this.#bytes.length === this.#sizeBytes) {
      this.#at = 0;
      return;
    }
    const sizeBytes = this.#bytes.length < growingBytes ? 2 * this.#bytes.length : this.#sizeBytes;
    const larger = new Uint8Array(Math.min(this.#sizeBytes, sizeBytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** The byte `distance` before the next one: 1 is the last. 0 where there is none. */
  byteAt(distance: number): number {
    if (distance > this.#known) return 0;
    const at = this.#at - distance;
    return this.#bytes[at < 0 ? at + this.#bytes.length : at] as number;
  }

  /** Puts bytes from `distance` on again; they may overlap. False where nothing stands there. */
  repeat(distance: number, length: number): boolean {
    if (distance > this.#known) return false;
    for (let i = 0; i < length; i++) this.put(this.byteAt(distance));
    return true;
  }

  /** A copy of the last bytes. */
  last(length: number): Uint8Array {
    const copy = new Uint8Array(length);
    const start = this.#at - length;
    if (start >= 0) copy.set(this.#bytes.subarray(start, this.#at));
    else {
      copy.set(this.#bytes.subarray(start + this.#bytes.length));
      copy.set(this.#bytes.subarray(0, this.#at), -start);
    }
    return copy;
  }
}
