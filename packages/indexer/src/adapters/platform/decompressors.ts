/**
 * Finds the frames of a zstd file without decompressing them.
 *
 *     file      = *( frame / skippable )
 *     frame     = 28 B5 2F FD  descriptor  [window(1)]  [dictionary(0/1/2/4)]  [size(0/1/2/4/8)]  1*block  [checksum(4)]
 *     block     = header(3: last 1 bit, type 2 bits, size 21 bits) content
 *     skippable = 5x 2A 4D 18  size(4) content
 *
 * `node:zlib` decodes one frame and silently drops the rest of the same chunk. Parallel and seekable compressors write several frames:
 * such a file must therefore be split into chunks that end where frames end.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1
 */
import type { Transform } from "node:stream";
import { constants, crc32, createGunzip, createZstdDecompress } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core/errors";
import type { Decompressors } from "@plimsoll/core/internal";
import { createGunzip as createWasmGunzip, type Decompress } from "@plimsoll/core/internal";

/** The largest window that the zstd command accepts by default: 128 MB. */
const maxZstdWindowLog = 27;

/**
 * The decompressors for Node. Gzip runs in WebAssembly, which is faster than any public interface of `node:zlib`, or in `node:zlib` if
 * there is no WebAssembly. Zstd runs in `node:zlib`.
 */
export const nodeDecompressors: Decompressors = { gzip: chooseGunzip(globalThis), zstd: unzstd };

/** The fastest gzip decompressor for a platform with these globals; `node --jitless` has no WebAssembly. */
export function chooseGunzip(globals: object): Decompress {
  if (!("WebAssembly" in globals)) return zlibGunzip;
  return createWasmGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });
}

/**
 * Decompresses gzip with `node:zlib`: checks CRC-32 and length, and reads several members. Trailing bytes are ignored only in the chunk
 * in which the last member ends; in a later chunk they count as a damaged member.
 */
export function zlibGunzip(source: Bytes): Bytes {
  return throughZlib(source, createGunzip({ chunkSize: outputChunkBytes }));
}

/** Decompresses zstd of any number of frames with `node:zlib`. */
export function unzstd(source: Bytes): Bytes {
  const params = { [constants.ZSTD_d_windowLogMax]: maxZstdWindowLog };
  return throughZlib(splitFrames(source), createZstdDecompress({ chunkSize: outputChunkBytes, params }));
}

/** The size of a zlib stream's output chunks. The default of 16 KB takes twice the time. */
const outputChunkBytes = 256 * 1024;

/** Error codes of `node:zlib` for truncated input. */
const truncatedCodes: ReadonlySet<unknown> = new Set(["Z_BUF_ERROR", "ZSTD_error_srcSize_wrong"]);

/**
 * Sends bytes through a stream of `node:zlib`. A chunk is consumed before the next is requested. The source is closed as soon as the
 * consumer stops.
 * @throws ScanError `layer_truncated`, `layer_corrupt`; errors of the source unchanged
 */
async function* throughZlib(source: Bytes, stream: Transform): Bytes {
  const feeding = feed(source, stream);
  feeding.catch(() => {}); // awaited below; until then a failure must not count as an unhandled rejection
  try {
    for await (const chunk of stream) yield chunk;
    await feeding;
  } catch (error) {
    throw isZlibError(error) ? describeDamage(error) : error;
  } finally {
    stream.destroy();
    await feeding.catch(() => {});
  }
}

async function feed(source: Bytes, stream: Transform): Promise<void> {
  try {
    for await (const chunk of source) if (!(await write(stream, chunk))) return;
    stream.end();
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("the source failed", { cause: error }));
  }
}

/** Whether the stream accepted the chunk; false once it is destroyed. After damage, zlib never calls a write's callback. */
function write(stream: Transform, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const closed = () => resolve(false);
    if (stream.closed) return closed();
    stream.once("close", closed);
    stream.write(chunk, (error) => {
      stream.off("close", closed);
      resolve(!error);
    });
  });
}

interface ZlibError extends Error {
  readonly code: string;
}

function isZlibError(error: unknown): error is ZlibError {
  return error instanceof Error && "code" in error && /^(Z_|ZSTD_|ERR_ZLIB)/.test(String(error.code));
}

function describeDamage(error: ZlibError): ScanError {
  const code = truncatedCodes.has(error.code) ? "layer_truncated" : "layer_corrupt";
  return new ScanError(code, `decompressing the layer: ${error.message} (${error.code})`, { cause: error });
}

/**
 * A parser written as a generator: it yields the number of bytes to step over and receives the last of them, so that `yield 1`
 * evaluates to the next byte.
 */
type SteppingParser<Result> = Generator<number, Result, number>;

/** Runs a {@link SteppingParser} over chunks of bytes. */
class Stepper<Result> {
  readonly #parser: SteppingParser<Result>;
  #state: IteratorResult<number, Result>;
  #left = 0;
  #steps = 0;

  constructor(parser: SteppingParser<Result>) {
    this.#parser = parser;
    this.#state = parser.next();
    this.#left = this.#state.done ? 0 : this.#state.value;
  }

  /** Runs the parser from offset `at`. @returns the offset that it reached: the chunk's end, unless the parser is done */
  run(chunk: Uint8Array, at: number): number {
    let position = at;
    while (!this.#state.done) {
      const step = Math.min(this.#left, chunk.length - position);
      position += step;
      this.#steps += step;
      this.#left -= step;
      if (this.#left > 0) return position;
      this.#state = this.#parser.next(chunk[position - 1] ?? 0);
      if (!this.#state.done) this.#left = this.#state.value;
    }
    return position;
  }

  /** Whether the parser has begun and is not done. */
  get isUnderWay(): boolean {
    return this.#steps > 0 && !this.#state.done;
  }

  /** The parser's result; undefined until it is done. */
  get result(): Result | undefined {
    return this.#state.done ? this.#state.value : undefined;
  }
}

const frameMagic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const dictionaryBytes = [0, 1, 2, 4];
const contentSizeBytes = [0, 2, 4, 8];
const blockType = { rle: 1, reserved: 3 };

type Place = "frame" | "skippable";

/** Splits bytes so that no chunk has bytes of two frames. Skippable frames are left out. */
async function* splitFrames(source: Bytes): Bytes {
  let magic = new Stepper(readMagic());
  let content: Stepper<"end"> | undefined;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      if (content === undefined) {
        at = magic.run(chunk, at);
        const found = magic.result;
        if (found === undefined) continue;
        magic = new Stepper(readMagic());
        if (found === "skippable") continue;
        content = new Stepper(stepOverFrame());
        yield frameMagic;
      } else {
        const from = at;
        at = content.run(chunk, at);
        yield chunk.subarray(from, at);
        if (content.result === "end") content = undefined;
      }
    }
  }
  if (content === undefined && !magic.isUnderWay) return;
  throw new ScanError("layer_truncated", "zstd: the bytes end within a frame");
}

function* readMagic(): SteppingParser<Place> {
  const magic = Uint8Array.of(yield 1, yield 1, yield 1, yield 1);
  if (magic.every((byte, at) => byte === frameMagic[at])) return "frame";
  if (((magic[0] ?? 0) & 0xf0) !== 0x50 || magic[1] !== 0x2a || magic[2] !== 0x4d || magic[3] !== 0x18) {
    throw new ScanError("layer_corrupt", "zstd: expected the beginning of a frame, found other bytes");
  }
  yield yield* readNumber(4);
  return "skippable";
}

/** The rest of a frame after its magic number. */
function* stepOverFrame(): SteppingParser<"end"> {
  const descriptor = yield 1;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const sizeField = contentSizeBytes[descriptor >> 6] ?? 0;
  const header = (isSingleSegment ? Math.max(1, sizeField) : 1 + sizeField) + (dictionaryBytes[descriptor & 3] ?? 0);
  yield header;
  for (let isLast = false; !isLast; ) {
    const block = yield* readNumber(3);
    isLast = (block & 1) !== 0;
    const type = (block >> 1) & 3;
    if (type === blockType.reserved)
      throw new ScanError("layer_corrupt", "zstd: expected a block of a known type, found a reserved type");
    yield type === blockType.rle ? 1 : block >> 3;
  }
  if (hasChecksum) yield 4;
  return "end";
}

function* readNumber(length: number): SteppingParser<number> {
  let value = 0;
  for (let index = 0; index < length; index++) value += (yield 1) * 256 ** index;
  return value;
}
