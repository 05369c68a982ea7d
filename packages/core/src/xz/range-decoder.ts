/** The initial probability that a bit is 0, in units of 1/2048: one half. */
const even = 1024;

/** Makes bit models with the initial probability. */
export function bitModels(count: number): Uint16Array {
  return new Uint16Array(count).fill(even);
}

/**
 * The entropy decoder of LZMA, which decodes bits by their probabilities. Reading beyond the end gives zeros; `isFinished` is then
 * false.
 * @see https://github.com/jljusten/LZMA-SDK/blob/master/DOC/lzma-specification.txt
 */
export class RangeDecoder {
  readonly #input: Uint8Array;
  #at = 5;
  #range = 0xffff_ffff;
  #code: number;

  /** The first byte of the input is 0, the next four are the initial code. */
  constructor(input: Uint8Array) {
    this.#input = input;
    this.#code = new DataView(input.buffer, input.byteOffset, input.length).getUint32(1);
  }

  /** Whether the input is valid and was used exactly to its end. */
  get isFinished(): boolean {
    return this.#code === 0 && this.#at === this.#input.length && this.#input[0] === 0;
  }

  /** Decodes one bit with the model at an index, and adapts the model. */
  bit(models: Uint16Array, index: number): number {
    const probability = models[index] as number;
    const bound = (this.#range >>> 11) * probability;
    let bit: number;
    if (this.#code < bound) {
      this.#range = bound;
      models[index] = probability + ((2048 - probability) >>> 5);
      bit = 0;
    } else {
      this.#code -= bound;
      this.#range -= bound;
      models[index] = probability - (probability >>> 5);
      bit = 1;
    }
    if (this.#range < 0x100_0000) this.#refill();
    return bit;
  }

  /** Decodes bits without a model, the highest first. */
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

  /** Decodes a number with a tree of models, the highest bit first. */
  tree(models: Uint16Array, start: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | this.bit(models, start + node);
    return node - (1 << bits);
  }

  /** Decodes a number with a tree of models, the lowest bit first. */
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
