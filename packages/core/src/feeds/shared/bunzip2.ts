import openBits from "unbzip2-stream/lib/bit_iterator.js";
import bzip2 from "unbzip2-stream/lib/bzip2.js";
import type { Bytes } from "../../bytes/bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";
import { readCompressed } from "./read-compressed.ts";

/**
 * Decompresses bzip2, block by block: the compressed document and one block of at most 46 MB are in memory.
 * @throws ScanError `malformed_feed` that names `location` for damaged or unfinished data
 */
export async function* bunzip2(source: Bytes, location: string): Bytes & AsyncGenerator<Uint8Array> {
  const compressed = await readCompressed(source, location);
  const blocks = blocksOf(compressed);
  for (;;) {
    let block: IteratorResult<Uint8Array, void>;
    try {
      block = blocks.next();
    } catch (error) {
      throw malformedFeed(location, `bzip2: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    if (block.done) return;
    yield block.value;
  }
}

/** The blocks of all streams: compressors that work in parallel write several, one behind the other. */
function* blocksOf(compressed: Uint8Array): Generator<Uint8Array, void> {
  const pieces = [compressed];
  const bits = openBits(() => {
    const piece = pieces.pop();
    if (piece === undefined) throw new Error("the compressed bytes end too early");
    return piece;
  });
  while (bits.bytesRead < compressed.length) {
    const blockBytes = 100_000 * bzip2.header(bits);
    const symbols = new Int32Array(blockBytes);
    let checksum: number | null = 0;
    for (;;) {
      const output = new GrowingBytes(blockBytes);
      checksum = bzip2.decompress(bits, (byte) => output.push(byte), symbols, blockBytes, checksum);
      if (checksum === null) break;
      yield output.bytes;
    }
  }
}

/** Bytes that come one by one. */
class GrowingBytes {
  #room: Uint8Array;
  #length = 0;

  constructor(expectedBytes: number) {
    this.#room = new Uint8Array(expectedBytes);
  }

  push(byte: number): void {
    if (this.#length === this.#room.length) {
      const room = new Uint8Array(this.#room.length * 2);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.#length++] = byte;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }
}
