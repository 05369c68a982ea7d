import { Decompress } from "fzstd";
import type { Bytes } from "../bytes/bytes.ts";
import { malformedZstd, zstdParts } from "./zstd-parts.ts";

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
