import type { Transform } from "node:stream";
import { constants, crc32, createGunzip, createZstdDecompress } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core/errors";
import { createGunzip as createWasmGunzip, type Decompress } from "@plimsoll/core/image";
import type { Decompressors } from "@plimsoll/core/internal";
import { splitFrames } from "./zstd-frames.ts";

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
