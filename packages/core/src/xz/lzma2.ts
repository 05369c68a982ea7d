import { type ByteCursor, malformedXz } from "./byte-cursor.ts";
import { bitModels, RangeDecoder } from "./range-decoder.ts";
import { Window } from "./window.ts";

/** The maximal size of a chunk's header. */
const maxChunkHeadBytes = 6;

/** The maximal decoded size of a chunk. */
const maxChunkBytes = 2 * 1024 ** 2;

/**
 * Decodes LZMA2, chunk by chunk.
 *
 *     data  = chunk* 00
 *     chunk = 01 | 02  size-1(2)  bytes                                     not compressed; 01 resets the window
 *           | 80..FF   size-1(2)  compressed size-1(2)  [properties]  LZMA  bits 5 and 6: which parts are reset
 *
 * @see https://github.com/tukaani-project/xz/blob/master/src/liblzma/lzma/lzma2_decoder.c
 */
export async function* decodeLzma2(input: ByteCursor, windowBytes: number): AsyncGenerator<Uint8Array> {
  const window = new Window(Math.max(windowBytes, maxChunkBytes));
  try {
    yield* decodeChunks(input, window);
  } finally {
    window.release();
  }
}

async function* decodeChunks(input: ByteCursor, window: Window): AsyncGenerator<Uint8Array> {
  let properties: LzmaProperties | undefined;
  let decoder: LzmaDecoder | undefined;
  let position = 0;
  let isFirst = true;
  for (;;) {
    if (!input.holds(maxChunkHeadBytes)) await input.buffer(maxChunkHeadBytes);
    const control = input.byte();
    if (control === 0) return;
    const isCompressed = control >= 0x80;
    if (!isCompressed && control > 2) throw malformedXz(`a chunk of the kind ${control}`);
    const resetsWindow = control === 1 || control >= 0xe0;
    if (isFirst && !resetsWindow) throw malformedXz("a first chunk that refers to earlier ones");
    if (resetsWindow) {
      window.reset();
      position = 0;
    }
    isFirst = false;
    const count = ((isCompressed ? control & 0x1f : 0) << 16) + input.uint16() + 1;
    if (isCompressed) {
      const compressedBytes = input.uint16() + 1;
      if (control >= 0xc0) properties = readProperties(input.byte());
      if (control >= 0xa0 && properties !== undefined) decoder = new LzmaDecoder(window, properties);
      if (decoder === undefined || compressedBytes < 5)
        throw malformedXz("a compressed chunk without properties, or too short");
      if (!input.holds(compressedBytes)) await input.buffer(compressedBytes);
      const range = new RangeDecoder(input.bytes(compressedBytes));
      decoder.decode(range, count, position);
      if (!range.isFinished) throw malformedXz("a compressed chunk whose length is wrong");
    } else {
      if (!input.holds(count)) await input.buffer(count);
      for (const byte of input.bytes(count)) window.put(byte);
    }
    position += count;
    yield* window.last(count);
  }
}

function readProperties(byte: number): LzmaProperties {
  const positionBits = Math.floor(byte / 45);
  const literalPositionBits = Math.floor((byte % 45) / 9);
  const literalContextBits = byte % 9;
  if (positionBits > 4 || literalContextBits + literalPositionBits > 4) throw malformedXz(`properties ${byte}`);
  return { literalContextBits, literalPositionBits, positionBits };
}

/** The properties of the model, from the stream. */
interface LzmaProperties {
  /** The number of high bits of the previous byte that select the model of a literal. */
  readonly literalContextBits: number;
  /** The number of low bits of the position that select the model of a literal. */
  readonly literalPositionBits: number;
  /** The number of low bits of the position that select all other models. */
  readonly positionBits: number;
}

const states = 12;
const lengthStates = 4;
const firstSlotWithModel = 4;
const firstSlotWithAlign = 14;
const alignBits = 4;
const minLength = 2;

/**
 * Decodes LZMA: literals, and repetitions of bytes in the window.
 * @see https://github.com/jljusten/LZMA-SDK/blob/master/DOC/lzma-specification.txt
 */
class LzmaDecoder {
  readonly #window: Window;
  readonly #properties: LzmaProperties;
  readonly #literal: Uint16Array;
  readonly #isMatch = bitModels(states << 4);
  readonly #isRepeat = bitModels(states);
  readonly #isRepeat0 = bitModels(states);
  readonly #isRepeat1 = bitModels(states);
  readonly #isRepeat2 = bitModels(states);
  readonly #isLongRepeat0 = bitModels(states << 4);
  readonly #slots = bitModels(lengthStates << 6);
  readonly #distances = bitModels(1 + 128 - firstSlotWithAlign);
  readonly #align = bitModels(1 << alignBits);
  readonly #matchLength = new LengthDecoder();
  readonly #repeatLength = new LengthDecoder();
  /** The last four distances less 1, the latest first. */
  #recent: readonly [number, number, number, number] = [0, 0, 0, 0];
  #state = 0;

  constructor(window: Window, properties: LzmaProperties) {
    this.#window = window;
    this.#properties = properties;
    this.#literal = bitModels(0x300 << (properties.literalContextBits + properties.literalPositionBits));
  }

  /** Decodes `count` bytes into the window. `position` counts the bytes since its last reset. */
  decode(input: RangeDecoder, count: number, position: number): void {
    const end = position + count;
    for (let at = position; at < end; ) {
      const positionState = at & ((1 << this.#properties.positionBits) - 1);
      if (input.bit(this.#isMatch, (this.#state << 4) + positionState) === 0) {
        this.#decodeLiteral(input, at);
        at++;
        continue;
      }
      const length = this.#decodeLength(input, positionState);
      if (at + length > end) throw malformedXz("a repetition that is longer than its chunk");
      if (!this.#window.repeat(this.#recent[0] + 1, length)) {
        throw malformedXz("a repetition of bytes before the beginning");
      }
      at += length;
    }
  }

  #decodeLiteral(input: RangeDecoder, position: number): void {
    const { literalContextBits, literalPositionBits } = this.#properties;
    const context =
      ((position & ((1 << literalPositionBits) - 1)) << literalContextBits) +
      (this.#window.byteAt(1) >> (8 - literalContextBits));
    const start = 0x300 * context;
    let node = 1;
    if (this.#state >= 7) {
      let expected = this.#window.byteAt(this.#recent[0] + 1);
      while (node < 0x100) {
        const expectedBit = (expected >> 7) & 1;
        expected <<= 1;
        const bit = input.bit(this.#literal, start + ((1 + expectedBit) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== expectedBit) break;
      }
    }
    while (node < 0x100) node = (node << 1) | input.bit(this.#literal, start + node);
    this.#window.put(node & 0xff);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  /** The length of a repetition, whose distance becomes the most recent one. */
  #decodeLength(input: RangeDecoder, positionState: number): number {
    const state = this.#state;
    const [first, second, third, fourth] = this.#recent;
    if (input.bit(this.#isRepeat, state) === 0) {
      const length = this.#matchLength.decode(input, positionState);
      this.#state = state < 7 ? 7 : 10;
      this.#recent = [this.#decodeDistance(input, length), first, second, third];
      return length;
    }
    if (input.bit(this.#isRepeat0, state) === 0) {
      if (input.bit(this.#isLongRepeat0, (state << 4) + positionState) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else if (input.bit(this.#isRepeat1, state) === 0) this.#recent = [second, first, third, fourth];
    else if (input.bit(this.#isRepeat2, state) === 0) this.#recent = [third, first, second, fourth];
    else this.#recent = [fourth, first, second, third];
    this.#state = state < 7 ? 8 : 11;
    return this.#repeatLength.decode(input, positionState);
  }

  #decodeDistance(input: RangeDecoder, length: number): number {
    const lengthState = Math.min(length - minLength, lengthStates - 1);
    const slot = input.tree(this.#slots, lengthState << 6, 6);
    if (slot < firstSlotWithModel) return slot;
    const bits = (slot >> 1) - 1;
    const high = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < firstSlotWithAlign) return high + input.reverseTree(this.#distances, high - slot, bits);
    const middle = input.directBits(bits - alignBits) * (1 << alignBits);
    return high + middle + input.reverseTree(this.#align, 0, alignBits);
  }
}

/** Decodes lengths from 2 to 273. */
class LengthDecoder {
  readonly #choices = bitModels(2);
  readonly #low = bitModels(16 << 3);
  readonly #middle = bitModels(16 << 3);
  readonly #high = bitModels(256);

  decode(input: RangeDecoder, positionState: number): number {
    if (input.bit(this.#choices, 0) === 0) return minLength + input.tree(this.#low, positionState << 3, 3);
    if (input.bit(this.#choices, 1) === 0) return minLength + 8 + input.tree(this.#middle, positionState << 3, 3);
    return minLength + 16 + input.tree(this.#high, 0, 8);
  }
}
