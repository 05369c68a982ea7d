import { availableParallelism } from "node:os";
import { constants, crc32, createGunzip, createZstdDecompress } from "node:zlib";
import { type Bytes, createGunzip as createWasmGunzip, type Decompress, type Decompressors } from "@plimsoll/core";
import { createInflateThreads } from "./inflate-threads.ts";
import { measuredGunzip, threadedGunzip } from "./threaded-gunzip.ts";
import { outputChunkBytes, throughZlib } from "./zlib-stream.ts";
import { splitFrames } from "./zstd-frames.ts";

/** The largest window that the zstd command accepts without being told to, 128 MB. */
const maxZstdWindowLog = 27;

/** Compressed bytes from which on decompressing in a thread saves more time than its start costs, about 40 ms. */
const minThreadedBytes = 8 * 1024 ** 2;

/** Threads at most: each costs about 25 MB. One pays off where this thread has the uncompressed bytes to hash meanwhile. */
const maxThreads = 2;

/**
 * The decompressors of Node: gzip in WebAssembly, which is faster than any public interface of `node:zlib`, large streams
 * in threads of their own; or in `node:zlib` where Node runs without WebAssembly; zstd in `node:zlib`.
 */
export const nodeDecompressors: Decompressors = { gzip: chooseGunzip(globalThis), zstd: unzstd };

/** Compressed bytes from which on a stream is worth a thread that others have started already. */
const minBackgroundBytes = 256 * 1024;

/** Streams of one thread at most: each takes about 4 MB. */
const streamsPerThread = 8;

/**
 * Decompressors of a process that has something else to do meanwhile: streams of whatever length go to threads that they share,
 * but for short ones. On Linux whatever else runs goes first.
 */
export function createBackgroundDecompressors(): Decompressors {
  const inline = nodeDecompressors.gzip;
  if (inline === zlibGunzip) return nodeDecompressors;
  const threads = createInflateThreads({
    maxThreads: Math.max(1, spareThreads()),
    streamsPerThread,
    inBackground: true,
  });
  const threaded = threadedGunzip({ threads, inline, minBytes: minBackgroundBytes });
  return { gzip: measuredGunzip(threaded, minBackgroundBytes), zstd: unzstd };
}

function spareThreads(): number {
  return Math.min(availableParallelism() - 1, maxThreads);
}

/** The best gzip decompressor for a platform with these globals; `node --jitless` has no WebAssembly. */
export function chooseGunzip(globals: object): Decompress {
  if (!("WebAssembly" in globals)) return zlibGunzip;
  const inline = createWasmGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });
  const threads = createInflateThreads({ maxThreads: spareThreads() });
  const threaded = threadedGunzip({ threads, inline, minBytes: minThreadedBytes });
  return (source, options = {}) => (options.isVerified === true ? threaded : inline)(source, options);
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
