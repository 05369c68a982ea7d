import { constants, crc32, createGunzip, createZstdDecompress } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import { createGunzip as createWasmGunzip, type Decompress, type Decompressors } from "@plimsoll/core/image";
import { outputChunkBytes, throughZlib } from "./zlib-stream.ts";
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
