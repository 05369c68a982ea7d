import type { ByteCursor } from "./byte-cursor.ts";
import { LzmaDecoder, type LzmaProperties } from "./lzma.ts";
import { malformedXz } from "./malformed-xz.ts";
import { RangeDecoder } from "./range-decoder.ts";
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
