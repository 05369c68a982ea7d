import openBits from "unbzip2-stream/lib/bit_iterator.js";
import bzip2 from "unbzip2-stream/lib/bzip2.js";
import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";

/**
 * The maximal compressed size of a block and the head of the next: tables, and for each of 32,767 selectors 50 symbols of 20 bits. As many
 * bytes are loaded before a block, because the decoder cannot wait for more.
 */
const maxBlockBytes = 4.5 * 1024 ** 2;

/**
 * Decompresses a bzip2 stream block by block. The compressed bytes of a block and its content of at most 46 MB are in memory.
 * @throws ScanError `malformed_archive` for damaged or truncated data
 */
export async function* bunzip2(source: Bytes): Bytes & AsyncGenerator<Uint8Array> {
  const pieces = new PieceQueue(source);
  try {
    await pieces.fill(maxBlockBytes);
    const decoder = new Decoder(pieces);
    for (; decoder.hasMore; await pieces.fill(maxBlockBytes)) {
      const block = decoded(() => decoder.next());
      if (block !== undefined) yield block;
    }
  } finally {
    await pieces.close();
  }
}

function decoded<Value>(decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScanError("malformed_archive", `bzip2: ${reason}`, { cause: error });
  }
}

/** Decodes the blocks of all streams: parallel compressors write several, one after the other. */
class Decoder {
  readonly #pieces: PieceQueue;
  readonly #bits: ReturnType<typeof openBits>;
  #symbols = new Int32Array(0);
  #blockBytes = 0;
  /** The checksum of the stream so far; null between streams. */
  #checksum: number | null = null;

  constructor(pieces: PieceQueue) {
    this.#pieces = pieces;
    this.#bits = openBits(() => pieces.take());
  }

  get hasMore(): boolean {
    return this.#checksum !== null || this.#bits.bytesRead < this.#pieces.receivedBytes;
  }

  /** Decodes the next block; undefined for the end of a stream. */
  next(): Uint8Array | undefined {
    if (this.#checksum === null) this.#begin();
    const output = new GrowingBytes(this.#blockBytes);
    const give = (byte: number) => output.push(byte);
    this.#checksum = bzip2.decompress(this.#bits, give, this.#symbols, this.#blockBytes, this.#checksum ?? 0);
    return this.#checksum === null ? undefined : output.bytes;
  }

  #begin(): void {
    this.#blockBytes = 100_000 * bzip2.header(this.#bits);
    if (this.#symbols.length < this.#blockBytes) this.#symbols = new Int32Array(this.#blockBytes);
    this.#checksum = 0;
  }
}

/** Collects single bytes. Memory is allocated with the first byte. */
class GrowingBytes {
  readonly #expectedBytes: number;
  #room: Uint8Array = new Uint8Array(0);
  #length = 0;

  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  push(byte: number): void {
    if (this.#length === this.#room.length) {
      const room = new Uint8Array(this.#room.length * 2 || this.#expectedBytes);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.#length++] = byte;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }
}

/** A queue of chunks of a stream, for a synchronous decoder. */
class PieceQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #receivedBytes = 0;
  #hasEnded = false;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The number of bytes read from the stream. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Reads chunks until at least `count` bytes are waiting, or the stream ends. */
  async fill(count: number): Promise<void> {
    while (!this.#hasEnded && this.#waitingBytes < count) {
      const { done, value } = await this.#source.next();
      if (done) this.#hasEnded = true;
      else if (value.length > 0) this.#add(value.slice()); // the source reuses its buffer
    }
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    this.#receivedBytes += piece.length;
  }

  /** Removes and returns the next chunk. @throws Error when none is waiting */
  take(): Uint8Array {
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new Error("the compressed bytes end too early");
    this.#waitingBytes -= piece.length;
    return piece;
  }

  /** Releases the source. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#source.return?.();
  }
}
