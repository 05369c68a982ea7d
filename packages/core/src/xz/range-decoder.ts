/** How likely a bit is 0, of 2048: at first as likely as not. */
const even = 1024;

/** Models of bits, each at its beginning. */
export function bitModels(count: number): Uint16Array {
  return new Uint16Array(count).fill(even);
}

/**
 * Decodes bits that were packed by how likely they are: the entropy coder of LZMA. Reading behind the end gives zeros; `isFinished`
 * then says that something is wrong.
 * @see https://github.com/jljusten/LZMA-SDK/blob/master/DOC/lzma-specification.txt
 */
export class RangeDecoder {
  readonly #input: Uint8Array;
  #at = 5;
  #range = 0xffff_ffff;
  #code: number;

  /** The first byte is always 0, the next four are the beginning of the code. */
  constructor(input: Uint8Array) {
    this.#input = input;
    this.#code = new DataView(input.buffer, input.byteOffset, input.length).getUint32(1);
  }

  /** Whether exactly the input was used. */
  get isFinished(): boolean {
    return this.#code === 0 && this.#at === this.#input.length && this.#input[0] === 0;
  }

  /** One bit by the model at an index, which learns from it. */
  bit(models: Uint16Array, index: number): number {
    const likely = models[index] as number;
    const bound = (this.#range >>> 11) * likely;
    let bit: number;
    if (this.#code < bound) {
      this.#range = bound;
      models[index] = likely + ((2048 - likely) >>> 5);
      bit = 0;
    } else {
      this.#code -= bound;
      this.#range -= bound;
      models[index] = likely - (likely >>> 5);
      bit = 1;
    }
    if (this.#range < 0x100_0000) this.#refill();
    return bit;
  }

  /** Bits that are as likely 0 as 1, the highest first. */
  directBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1;
      const bit = this.#code >= this.#range ? 1 : 0;
      if (bit === 1) this.#code -= this.#range;
      value = (value << 1) | bit;
      if (this.#range < 0x100_0000) this.#refill();
    }
    return value >>> 0;
  }

  /** A number by a tree of models, the highest bit first. */
  tree(models: Uint16Array, start: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | this.bit(models, start + node);
    return node - (1 << bits);
  }

  /** The same, the lowest bit first. */
  reverseTree(models: Uint16Array, start: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.bit(models, start + node);
      node = (node << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  #refill(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#input[this.#at++] ?? 0)) >>> 0;
  }
}
