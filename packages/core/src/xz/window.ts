/** Most files are smaller than the window that they ask for. */
const firstBytes = 64 * 1024;

/** Beyond it the window is made at once: systems give memory when it is written to, and windows that grow leave theirs behind for a time. */
const growingBytes = 1024 ** 2;

/** The bytes that were decoded last, which later ones refer to. Takes no more memory than there are bytes, twice at most. */
export class Window {
  readonly #sizeBytes: number;
  #bytes: Uint8Array<ArrayBuffer>;
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
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.min(this.#sizeBytes, sizeBytes)));
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

  /** The last bytes, in one or two views: they are as they are until the next byte is put. */
  last(length: number): readonly Uint8Array[] {
    const start = this.#at - length;
    if (start >= 0) return [this.#bytes.subarray(start, this.#at)];
    return [this.#bytes.subarray(start + this.#bytes.length), this.#bytes.subarray(0, this.#at)];
  }

  /** Gives the memory back at once, without the views: a document that is read again would have two windows until garbage is looked for. */
  release(): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(0));
  }
}
