/** The initial size: most files are smaller than the window that they state. */
const firstBytes = 64 * 1024;

/** A window of this size grows to its full size at once: unused memory costs nothing, and repeated growth leaves garbage. */
const growingBytes = 1024 ** 2;

/** The last decoded bytes, to which later ones refer. Up to 1 MiB its memory is at most twice the decoded bytes. */
export class Window {
  readonly #sizeBytes: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;
  /** The number of bytes that may be referred to. */
  #known = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#bytes = new Uint8Array(Math.min(sizeBytes, firstBytes));
  }

  /** Makes all bytes unavailable to later references. */
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

  /** The byte at a distance before the next one: 1 is the last byte. 0 where there is none. */
  byteAt(distance: number): number {
    if (distance > this.#known) return 0;
    const at = this.#at - distance;
    return this.#bytes[at < 0 ? at + this.#bytes.length : at] as number;
  }

  /** Repeats bytes from a distance on; source and target may overlap. False where the distance is too large. */
  repeat(distance: number, length: number): boolean {
    if (distance > this.#known) return false;
    for (let i = 0; i < length; i++) this.put(this.byteAt(distance));
    return true;
  }

  /** The last bytes, in one or two views, which are valid until the next `put`. */
  last(length: number): readonly Uint8Array[] {
    const start = this.#at - length;
    if (start >= 0) return [this.#bytes.subarray(start, this.#at)];
    return [this.#bytes.subarray(start + this.#bytes.length), this.#bytes.subarray(0, this.#at)];
  }

  /** Frees the memory at once, which detaches the views. Otherwise a document that is read twice would have two windows until garbage collection. */
  release(): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(0));
  }
}
