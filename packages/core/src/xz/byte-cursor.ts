import type { Bytes } from "../bytes/bytes.ts";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { ScanError } from "../errors.ts";

/**
 * Reads the bytes of a stream in order. {@link ByteCursor.buffer} loads the next bytes; reading beyond them throws ScanError
 * `malformed_archive`. Only the loaded bytes that are not yet read, and one chunk of the stream, are in memory.
 */
export class ByteCursor {
  readonly #source: AsyncIterator<Uint8Array>;
  /** The loaded bytes. Never overwritten, so that returned views stay valid. */
  #bytes: Uint8Array = new Uint8Array(0);
  /** The offset of the next byte in `#bytes`. */
  #next = 0;
  /** The number of bytes of the stream before `#bytes`. */
  #passed = 0;
  #hasEnded = false;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The number of bytes of the stream that were read. */
  get at(): number {
    return this.#passed + this.#next;
  }

  /** Whether the next `count` bytes are loaded, as is mostly the case. */
  holds(count: number): boolean {
    return this.#bytes.length - this.#next >= count;
  }

  /** Loads the next `count` bytes, fewer where the stream ends. Returns whether there are any. */
  async buffer(count: number): Promise<boolean> {
    if (!this.holds(count) && !this.#hasEnded) await this.#load(count);
    return this.holds(1);
  }

  async #load(count: number): Promise<void> {
    const rest = this.#bytes.subarray(this.#next);
    const pieces = [rest];
    let length = rest.length;
    while (length < count) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#hasEnded = true;
        break;
      }
      pieces.push(value.slice()); // the source reuses its buffer
      length += value.length;
    }
    this.#passed += this.#next;
    this.#next = 0;
    this.#bytes = pieces.length === 2 && rest.length === 0 ? (pieces[1] as Uint8Array) : concatBytes(pieces);
  }

  /** Releases the source. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }

  /** The next byte, without reading it; -1 where it is not loaded. */
  get peeked(): number {
    return this.#bytes[this.#next] ?? -1;
  }

  byte(): number {
    const byte = this.#bytes[this.#next];
    if (byte === undefined) throw truncated();
    this.#next++;
    return byte;
  }

  /** Big-endian, as in LZMA2. */
  uint16(): number {
    return (this.byte() << 8) | this.byte();
  }

  /** Little-endian, as in the container. */
  uint32(): number {
    const bytes = this.bytes(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  }

  /** Reads bytes as a view, without a copy. */
  bytes(length: number): Uint8Array {
    if (!this.holds(length)) throw truncated();
    this.#next += length;
    return this.#bytes.subarray(this.#next - length, this.#next);
  }

  /** Reads a number of up to nine bytes with seven bits each, the lowest first. */
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

  /** The bytes read since a position. No `buffer` call may be between. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start - this.#passed, this.#next);
  }
}

/** The length of the longest number, in bytes. */
export const maxNumberBytes = 9;

function truncated() {
  return malformedXz("the end of the file too early");
}

/** The error for bytes that are not xz, or are damaged. */
export function malformedXz(found: string): ScanError {
  return new ScanError("malformed_archive", `xz: found ${found}`);
}
