import type { Bytes } from "../bytes/bytes.ts";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { malformedXz } from "./malformed-xz.ts";

/**
 * Reads bytes of a stream one after the other. {@link ByteCursor.buffer} brings in those that are read next; reading behind them throws ScanError
 * `malformed_archive`. Only the bytes that were brought in and not yet read are in memory, and a chunk of the stream.
 */
export class ByteCursor {
  readonly #source: AsyncIterator<Uint8Array>;
  /** What was brought in; views that were given out stay as they are. */
  #bytes: Uint8Array = new Uint8Array(0);
  /** In `#bytes`. */
  #next = 0;
  /** Bytes of the stream before `#bytes`. */
  #passed = 0;
  #hasEnded = false;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes of the stream that were read. */
  get at(): number {
    return this.#passed + this.#next;
  }

  /** Whether the next `count` bytes are there already, as mostly. */
  holds(count: number): boolean {
    return this.#bytes.length - this.#next >= count;
  }

  /** Brings the next `count` bytes in, fewer where the stream ends. Says whether there are any. */
  async buffer(count: number): Promise<boolean> {
    if (!this.holds(count) && !this.#hasEnded) await this.#bringIn(count);
    return this.holds(1);
  }

  async #bringIn(count: number): Promise<void> {
    const rest = this.#bytes.subarray(this.#next);
    const pieces = [rest];
    let length = rest.length;
    while (length < count) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#hasEnded = true;
        break;
      }
      pieces.push(value.slice()); // its buffer is used again
      length += value.length;
    }
    this.#passed += this.#next;
    this.#next = 0;
    this.#bytes = pieces.length === 2 && rest.length === 0 ? (pieces[1] as Uint8Array) : concatBytes(pieces);
  }

  /** Lets the source go. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }

  /** The next byte, without reading it; -1 where it was not brought in. */
  get peeked(): number {
    return this.#bytes[this.#next] ?? -1;
  }

  byte(): number {
    const byte = this.#bytes[this.#next];
    if (byte === undefined) throw truncated();
    this.#next++;
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
    if (!this.holds(length)) throw truncated();
    this.#next += length;
    return this.#bytes.subarray(this.#next - length, this.#next);
  }

  /** A number of up to nine bytes with seven bits each, the lowest first. */
  number(): number {
    let value = 0;
    for (let i = 0; i < maxNumberBytes; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw malformedXz("a number that is too large");
  }

  /** What was read since a position, behind which nothing more was brought in. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start - this.#passed, this.#next);
  }
}

/** Bytes of the longest number. */
export const maxNumberBytes = 9;

function truncated() {
  return malformedXz("the end of the bytes too early");
}
