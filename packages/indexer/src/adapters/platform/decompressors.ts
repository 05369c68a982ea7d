import { constants, crc32, createGunzip, createZstdDecompress } from "node:zlib";
import { type Bytes, createGunzip as createWasmGunzip, type Decompress, type Decompressors } from "@plimsoll/core";
import { outputChunkBytes, throughZlib } from "./zlib-stream.ts";
import { splitFrames } from "./zstd-frames.ts";

/** The largest window that the zstd command accepts without being told to, 128 MB. */
const maxZstdWindowLog = 27;

/**
 * The decompressors of Node: gzip in WebAssembly, which is faster than any public interface of `node:zlib`, or in
 * `node:zlib` where Node runs without WebAssembly; zstd in `node:zlib`.
 */
export const nodeDecompressors: Decompressors = { gzip: chooseGunzip(globalThis), zstd: unzstd };

/** The best gzip decompressor for a platform with these globals; `node --jitless` has no WebAssembly. */
export function chooseGunzip(globals: object): Decompress {
  if (!("WebAssembly" in globals)) return zlibGunzip;
  return createWasmGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });
}

/**
 * Gzip by `node:zlib`: checks CRC-32 and length and reads several members. What follows them is ignored only in the
 * chunk in which they end; in a later one it is taken for a damaged member.
 */
export function zlibGunzip(source: Bytes): Bytes {
  return throughZlib(source, createGunzip({ chunkSize: outputChunkBytes }));
}

/** Zstd by `node:zlib`, of any number of frames. */
export function unzstd(source: Bytes): Bytes {
  const params = { [constants.ZSTD_d_windowLogMax]: maxZstdWindowLog };
  return throughZlib(splitFrames(source), createZstdDecompress({ chunkSize: outputChunkBytes, params }));
}
