/**
 * The xz container, with one LZMA2 filter per block, which is what xz writes by default.
 *
 *     file    = stream (stream | 00 00 00 00)*
 *     stream  = FD "7zXZ" 00  flags(2)  crc32(4)  block*  index  footer
 *     block   = size/4-1  flags  [compressed size]  [size]  filter  00*  crc32(4)  LZMA2  00*  check
 *     filter  = 21 01 window
 *     index   = 00  count  (unpadded size  size)*  00*  crc32(4)
 *     footer  = crc32(4)  index size/4-1 (4)  flags(2)  "YZ"
 *
 * @see https://tukaani.org/xz/xz-file-format.txt
 */
import type { Bytes } from "../bytes/bytes.ts";
import { crc32 } from "../zip/crc32.ts";
import { ByteCursor, malformedXz, maxNumberBytes } from "./byte-cursor.ts";
import { contentCheck, hexOf } from "./checks.ts";
import { decodeLzma2 } from "./lzma2.ts";

/** The size of the largest window; that of `xz -9` is half as large. */
const maxWindowBytes = 128 * 1024 ** 2;

const magic = "fd377a585a00";
const lzma2 = 0x21;
/** The size of a stream's header, and of its footer. */
const streamEndBytes = 12;
/** The maximal size of the padding and check after a block; the padding and checksum of the index are smaller. */
const maxTrailerBytes = 3 + 32;

/**
 * Decodes an xz file as a stream, in pieces of at most 2 MB; memory is limited by the window.
 * @throws ScanError `malformed_archive` for bytes that are not xz, are damaged or truncated, or have another filter or a larger window
 */
export async function* decodeXz(source: Bytes): Bytes & AsyncGenerator<Uint8Array> {
  const input = new ByteCursor(source);
  try {
    do yield* decodeStream(input);
    while (await hasNextStream(input));
  } finally {
    await input.close();
  }
}

async function* decodeStream(input: ByteCursor): AsyncGenerator<Uint8Array, void> {
  await input.buffer(streamEndBytes);
  if (hexOf(input.bytes(6)) !== magic) throw malformedXz("bytes that do not begin like an xz file");
  const flags = input.bytes(2);
  checkCrc(crc32(flags), input, "the header");
  const blocks = new BlockSizes();
  for (;;) {
    await input.buffer(1);
    if (input.peeked === 0) return readFooter(input, await readIndex(input, blocks), flags);
    yield* decodeBlock(input, flags[1] ?? 0, blocks);
  }
}

async function* decodeBlock(
  input: ByteCursor,
  checkKind: number,
  blocks: BlockSizes,
): AsyncGenerator<Uint8Array, void> {
  const start = input.at;
  const headerBytes = (Math.max(input.peeked, 0) + 1) * 4;
  await input.buffer(headerBytes);
  const windowBytes = readBlockHeader(input, headerBytes);
  const check = contentCheck(checkKind);
  let contentBytes = 0;
  for await (const piece of decodeLzma2(input, windowBytes)) {
    check.update(piece);
    contentBytes += piece.length;
    yield piece;
  }
  await input.buffer(maxTrailerBytes);
  blocks.add(input.at - start + check.sizeBytes, contentBytes);
  alignTo4(input, start);
  if (hexOf(input.bytes(check.sizeBytes)) !== check.hex()) throw malformedXz("a block with a wrong checksum");
}

/** The size of the window. */
function readBlockHeader(input: ByteCursor, headerBytes: number): number {
  const start = input.at;
  input.byte(); // its size
  const flags = input.byte();
  if ((flags & 0x3f) !== 0) throw malformedXz("a filter before LZMA2, which is not supported");
  if ((flags & 0x40) !== 0) input.number();
  if ((flags & 0x80) !== 0) input.number();
  if (input.number() !== lzma2 || input.number() !== 1) throw malformedXz("a filter other than LZMA2");
  const window = input.byte();
  const windowBytes = (2 | (window & 1)) * 2 ** ((window >> 1) + 11);
  if (windowBytes > maxWindowBytes)
    throw malformedXz(`a window of ${windowBytes} bytes, expected at most ${maxWindowBytes}`);
  while (input.at < start + headerBytes - 4)
    if (input.byte() !== 0) throw malformedXz("a block header with unknown fields");
  checkCrc(crc32(input.since(start)), input, "a block header");
  return windowBytes;
}

/** Compares the index with the blocks; returns its size. The index is not kept in memory, since there may be millions of blocks. */
async function readIndex(input: ByteCursor, blocks: BlockSizes): Promise<number> {
  const start = input.at;
  const listed = new BlockSizes();
  await input.buffer(1 + maxNumberBytes);
  input.byte();
  let crc = crc32(Uint8Array.of(0));
  const read = <Value>(take: () => Value): Value => {
    const from = input.at;
    const value = take();
    crc = crc32(input.since(from), crc);
    return value;
  };
  if (read(() => input.number()) !== blocks.count) throw malformedXz("an index of other blocks");
  while (listed.count < blocks.count) {
    if (!input.holds(2 * maxNumberBytes)) await input.buffer(2 * maxNumberBytes);
    read(() => listed.add(input.number(), input.number()));
  }
  if (!listed.equals(blocks)) throw malformedXz("an index of other blocks");
  await input.buffer(maxTrailerBytes);
  read(() => alignTo4(input, start));
  checkCrc(crc, input, "the index");
  return input.at - start;
}

async function readFooter(input: ByteCursor, indexBytes: number, flags: Uint8Array): Promise<void> {
  await input.buffer(streamEndBytes);
  const crc = input.uint32();
  const start = input.at;
  const statedBytes = (input.uint32() + 1) * 4;
  const statedFlags = hexOf(input.bytes(2));
  if (crc32(input.since(start)) !== crc) throw malformedXz("a footer with a wrong checksum");
  const end = hexOf(input.bytes(2));
  if (statedBytes !== indexBytes || statedFlags !== hexOf(flags) || end !== "595a")
    throw malformedXz("a footer that does not match its stream");
}

function checkCrc(crc: number, input: ByteCursor, what: string): void {
  if (crc !== input.uint32()) throw malformedXz(`${what} with a wrong checksum`);
}

function alignTo4(input: ByteCursor, start: number): void {
  while ((input.at - start) % 4 !== 0) if (input.byte() !== 0) throw malformedXz("padding that is not zero");
}

/** Skips padding in units of four zeros, between streams and after the last one. */
async function hasNextStream(input: ByteCursor): Promise<boolean> {
  while (await input.buffer(4)) {
    if (input.peeked !== 0) return true;
    if (input.uint32() !== 0) throw malformedXz("padding that is not zero");
  }
  return false;
}

/** A summary of the sizes of many blocks, to compare them with an index: their number, their sums, and a checksum of all in order. */
class BlockSizes {
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
