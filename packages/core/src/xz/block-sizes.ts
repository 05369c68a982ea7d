import { crc32 } from "../zip/crc32.ts";

/** A summary of the sizes of many blocks, to compare them with an index: their number, their sums, and a checksum of all in order. */
export class BlockSizes {
  #count = 0;
  #unpaddedBytes = 0;
  #contentBytes = 0;
  #checksum = 0;
  readonly #pair = new Float64Array(2);
  readonly #bytes = new Uint8Array(this.#pair.buffer);

  get count(): number {
    return this.#count;
  }

  /** Adds the sizes of the next block. */
  add(unpaddedBytes: number, contentBytes: number): void {
    this.#count++;
    this.#unpaddedBytes += unpaddedBytes;
    this.#contentBytes += contentBytes;
    this.#pair[0] = unpaddedBytes;
    this.#pair[1] = contentBytes;
    this.#checksum = crc32(this.#bytes, this.#checksum);
  }

  /** Whether others are the same sizes in the same order. */
  equals(others: BlockSizes): boolean {
    const isSameSum = this.#unpaddedBytes === others.#unpaddedBytes && this.#contentBytes === others.#contentBytes;
    return isSameSum && this.#count === others.#count && this.#checksum === others.#checksum;
  }
}
