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
export const nodeDecompressors: Decompressors = { gzip: chooseGunzip(), zstd: unzstd };

/** Gzip by `node:zlib`. It checks CRC-32 and length, reads several members and ignores what follows them. */
export function zlibGunzip(source: Bytes): Bytes {
  return throughZlib(source, createGunzip({ chunkSize: outputChunkBytes }));
}

function chooseGunzip(): Decompress {
  if (!("WebAssembly" in globalThis)) return zlibGunzip; // `node --jitless`
  return createWasmGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });
}

function unzstd(source: Bytes): Bytes {
  const params = { [constants.ZSTD_d_windowLogMax]: maxZstdWindowLog };
  return throughZlib(splitFrames(source), createZstdDecompress({ chunkSize: outputChunkBytes, params }));
}
