/**
 * Cuts a Zstandard file into parts that a decoder can take one after the other.
 *
 *     file      = *( frame / skippable )
 *     frame     = 28 B5 2F FD  descriptor  [window(1)]  [dictionary(0/1/2/4)]  [size(0/1/2/4/8)]  1*block  [checksum(4)]
 *     block     = header(3: last 1 bit, type 2 bits, size 21 bits) content
 *     skippable = 5x 2A 4D 18  size(4) content
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1
 */
import { Decompress } from "fzstd";
import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";
import { ByteCursor } from "../xz/byte-cursor.ts";

/**
 * The bytes of windows that the decoder may move for each byte of content: it moves the whole window after each block, and the largest
 * window is 1,024 times as large as the largest block.
 */
const maxMovedPerByte = 2048;

/** The bytes of windows that it may move besides: small files have few blocks, and the last block of a frame can be small. */
const freeMovedBytes = 512 * 1024 ** 2;

/**
 * Decompresses Zstandard block by block. The decoder does not compare checksums. Memory is limited by the window, and the time by the
 * size of the content.
 * @throws ScanError `malformed_archive` for damaged or truncated data, too large windows, and too many blocks with little content
 */
export async function* unzstd(source: Bytes): Bytes & AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const decoder = new Decompress((piece) => pieces.push(piece));
  const push = (bytes: Uint8Array, { isLast }: { readonly isLast: boolean }): readonly Uint8Array[] => {
    try {
      decoder.push(bytes, isLast);
    } catch (error) {
      throw malformedZstd(error instanceof Error ? error.message : String(error), error);
    }
    return pieces.splice(0);
  };
  let [contentBytes, movedBytes] = [0, 0];
  for await (const { bytes, windowBytes } of zstdParts(source)) {
    movedBytes += windowBytes;
    if (movedBytes > freeMovedBytes + maxMovedPerByte * contentBytes)
      throw malformedZstd("too many small blocks for the size of the window");
    for (const piece of push(bytes, { isLast: false })) {
      contentBytes += piece.length;
      yield piece;
    }
  }
  yield* push(new Uint8Array(0), { isLast: true });
}

/** The size of the largest window, that of `zstd --ultra -22`. */
const maxWindowBytes = 128 * 1024 ** 2;

/** The size of the largest block, compressed or not: RFC 8878, section 3.1.1.2.3. */
const maxBlockBytes = 128 * 1024;

const skipBytes = 64 * 1024;
const magic = "28,b5,2f,fd";
const rleType = 1;

/** The next bytes for a decoder: at most one block. */
interface ZstdPart {
  readonly bytes: Uint8Array;
  /** The size of the window that a decoder creates or moves for this part. */
  readonly windowBytes: number;
}

/** Cuts a file into headers and blocks. Skippable frames are left out. @throws ScanError `malformed_archive` for a window or block that is too large */
async function* zstdParts(source: Bytes): AsyncGenerator<ZstdPart> {
  const input = new ByteCursor(source);
  try {
    while (await input.buffer(4)) yield* nextFrame(input);
  } finally {
    await input.close();
  }
}

async function* nextFrame(input: ByteCursor): AsyncGenerator<ZstdPart> {
  const head = await take(input, 4);
  const hex = Array.from(head, (byte) => byte.toString(16)).join();
  if (/^5.,2a,4d,18$/.test(hex)) return skip(input, littleEndian(await take(input, 4)));
  if (hex !== magic) throw malformedZstd("expected the beginning of a frame, found other bytes");
  yield { bytes: head, windowBytes: 0 };
  const [descriptor = 0] = yield* pass(input, { length: 1 });
  const rest = yield* pass(input, { length: headerBytes(descriptor) });
  const windowBytes = windowOf(descriptor, rest);
  if (windowBytes > maxWindowBytes)
    throw malformedZstd(`a window of ${windowBytes} bytes, expected at most ${maxWindowBytes}`);
  for (let isLast = false; !isLast; ) {
    const block = littleEndian(yield* pass(input, { length: 3, windowBytes }));
    isLast = (block & 1) !== 0;
    const sizeBytes = block >> 3;
    if (sizeBytes > maxBlockBytes)
      throw malformedZstd(`a block of ${sizeBytes} bytes, expected at most ${maxBlockBytes}`);
    yield* pass(input, { length: ((block >> 1) & 3) === rleType ? 1 : sizeBytes });
  }
  if ((descriptor & 4) !== 0) yield* pass(input, { length: 4 });
}

async function* pass(
  input: ByteCursor,
  { length, windowBytes = 0 }: { length: number; windowBytes?: number },
): AsyncGenerator<ZstdPart, Uint8Array> {
  const bytes = await take(input, length);
  yield { bytes, windowBytes };
  return bytes;
}

async function take(input: ByteCursor, length: number): Promise<Uint8Array> {
  if (!input.holds(length)) await input.buffer(length);
  if (!input.holds(length)) throw malformedZstd("the bytes end within a frame");
  return input.bytes(length);
}

async function skip(input: ByteCursor, length: number): Promise<void> {
  for (let left = length; left > 0; left -= skipBytes) await take(input, Math.min(left, skipBytes));
}

/** The size of a frame's header after the descriptor. */
function headerBytes(descriptor: number): number {
  return (isSingleSegment(descriptor) ? 0 : 1) + dictionaryBytes(descriptor) + contentSizeBytes(descriptor);
}

/** The size of the window. For a frame with a single segment, it is the size of the content. */
function windowOf(descriptor: number, rest: Uint8Array): number {
  const [window = 0] = rest;
  if (!isSingleSegment(descriptor)) return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  const size = littleEndian(rest.subarray(dictionaryBytes(descriptor)));
  return contentSizeBytes(descriptor) === 2 ? size + 256 : size;
}

function isSingleSegment(descriptor: number): boolean {
  return (descriptor & 0x20) !== 0;
}

function dictionaryBytes(descriptor: number): number {
  return [0, 1, 2, 4][descriptor & 3] ?? 0;
}

function contentSizeBytes(descriptor: number): number {
  const field = descriptor >> 6;
  return field === 0 ? Number(isSingleSegment(descriptor)) : 2 ** field;
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

/** The error for bytes that are not Zstandard, or are damaged. */
function malformedZstd(found: string, cause?: unknown): ScanError {
  return new ScanError("malformed_archive", `zstd: ${found}`, { cause });
}
