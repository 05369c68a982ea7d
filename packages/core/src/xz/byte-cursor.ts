import { malformedXz } from "./malformed-xz.ts";

/** Reads bytes one after the other. Throws ScanError `malformed_archive` at their end. */
export class ByteCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw truncated();
    this.#at++;
    return byte;
  }

  /** Big-endian, as LZMA2 has it. */
  uint16(): number {
    return (this.byte() << 8) | this.byte();
  }

  /** Little-endian, as the container has it. */
  uint32(): number {
    const bytes = this.bytes(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** A view. */
  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw truncated();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A number of up to nine bytes with seven bits each, the lowest first. */
  number(): number {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw malformedXz("a number that is too large");
  }

  /** What was read since a position. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#at);
  }
}

function truncated() {
  return malformedXz("the end of the bytes too early");
}
