/**
 * The xz container, as far as one LZMA2 filter a block, which is what xz writes unless it is told otherwise.
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
import { crc32 } from "../zip/crc32.ts";
import { ByteCursor } from "./byte-cursor.ts";
import { contentCheck, hexOf } from "./checks.ts";
import { decodeLzma2 } from "./lzma2.ts";
import { malformedXz } from "./malformed-xz.ts";

/** Bytes of the largest window; `xz -9` has half of it. */
const maxWindowBytes = 128 * 1024 ** 2;

const magic = "fd377a585a00";
const lzma2 = 0x21;

/**
 * Decodes an xz file, in pieces of at most 2 MB; memory is bounded by the compressed bytes and the window.
 * @throws ScanError `malformed_archive` for what is no xz, is damaged or unfinished, or has another filter or a larger window
 */
export function* decodeXz(compressed: Uint8Array): Generator<Uint8Array> {
  const input = new ByteCursor(compressed);
  do {
    yield* decodeStream(input);
    skipPadding(input, compressed);
  } while (!input.isAtEnd);
}

/** What the index says of a block, to be compared with the block. */
type BlockSizes = readonly [unpaddedBytes: number, contentBytes: number];

function* decodeStream(input: ByteCursor): Generator<Uint8Array> {
  if (hexOf(input.bytes(6)) !== magic) throw malformedXz("another beginning than that of xz");
  const flags = input.bytes(2);
  checkCrc(flags, input, "the header");
  const blocks: BlockSizes[] = [];
  for (let at = input.at, size = input.byte(); ; at = input.at, size = input.byte()) {
    if (size === 0) {
      const indexBytes = readIndex(input, at, blocks);
      return readFooter(input, indexBytes, flags);
    }
    blocks.push(yield* decodeBlock(input, (size + 1) * 4, flags[1] ?? 0));
  }
}

function* decodeBlock(input: ByteCursor, headerBytes: number, checkKind: number): Generator<Uint8Array, BlockSizes> {
  const start = input.at - 1;
  const windowBytes = readBlockHeader(input, start, headerBytes);
  const check = contentCheck(checkKind);
  let contentBytes = 0;
  for (const piece of decodeLzma2(input, windowBytes)) {
    check.update(piece);
    contentBytes += piece.length;
    yield piece;
  }
  const unpaddedBytes = input.at - start + check.sizeBytes;
  alignTo4(input, start);
  if (hexOf(input.bytes(check.sizeBytes)) !== check.hex()) throw malformedXz("a block with another checksum");
  return [unpaddedBytes, contentBytes];
}

/** The size of the window. */
function readBlockHeader(input: ByteCursor, start: number, headerBytes: number): number {
  const flags = input.byte();
  if ((flags & 0x3f) !== 0) throw malformedXz("a filter before LZMA2, which is not read");
  if ((flags & 0x40) !== 0) input.number();
  if ((flags & 0x80) !== 0) input.number();
  if (input.number() !== lzma2 || input.number() !== 1) throw malformedXz("a filter other than LZMA2");
  const window = input.byte();
  const windowBytes = (2 | (window & 1)) * 2 ** ((window >> 1) + 11);
  if (windowBytes > maxWindowBytes)
    throw malformedXz(`a window of ${windowBytes} bytes, expected at most ${maxWindowBytes}`);
  while (input.at < start + headerBytes - 4) if (input.byte() !== 0) throw malformedXz("a block header that goes on");
  checkCrc(input.since(start), input, "a block header");
  return windowBytes;
}

/** Compares the index with the blocks; returns its size. */
function readIndex(input: ByteCursor, start: number, blocks: readonly BlockSizes[]): number {
  if (input.number() !== blocks.length) throw malformedXz("an index of other blocks");
  for (const [unpaddedBytes, contentBytes] of blocks) {
    if (input.number() !== unpaddedBytes || input.number() !== contentBytes)
      throw malformedXz("an index of other blocks");
  }
  alignTo4(input, start);
  checkCrc(input.since(start), input, "the index");
  return input.at - start;
}

function readFooter(input: ByteCursor, indexBytes: number, flags: Uint8Array): void {
  const crc = input.uint32();
  const start = input.at;
  const statedBytes = (input.uint32() + 1) * 4;
  const statedFlags = hexOf(input.bytes(2));
  if (crc32(input.since(start)) !== crc) throw malformedXz("a footer with another checksum");
  const end = hexOf(input.bytes(2));
  if (statedBytes !== indexBytes || statedFlags !== hexOf(flags) || end !== "595a") throw malformedXz("another footer");
}

function checkCrc(bytes: Uint8Array, input: ByteCursor, what: string): void {
  if (crc32(bytes) !== input.uint32()) throw malformedXz(`${what} with another checksum`);
}

function alignTo4(input: ByteCursor, start: number): void {
  while ((input.at - start) % 4 !== 0) if (input.byte() !== 0) throw malformedXz("padding that is not zero");
}

/** Zeros in fours, between streams and behind the last. */
function skipPadding(input: ByteCursor, compressed: Uint8Array): void {
  while (!input.isAtEnd && compressed[input.at] === 0) {
    if (input.uint32() !== 0) throw malformedXz("padding that is not zero");
  }
}
