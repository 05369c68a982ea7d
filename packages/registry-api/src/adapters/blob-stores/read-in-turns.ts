import { type FileHandle, open } from "node:fs/promises";
import type { ByteRange } from "../../ports/blob-store.ts";

/** How much is read at a time. */
const bufferBytes = 512 * 1024;

/**
 * The bytes of a file in two buffers: one is filled while the caller uses the other, so the caller must be done with a chunk when it
 * requests the next one. Reading allocates nothing, and the bytes stay in the processor's cache.
 * @throws system errors
 */
export async function* readInTurns(path: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  await using file = await open(path, "r");
  const end = range === undefined ? (await file.stat()).size : range.last + 1;
  let at = range?.first ?? 0;
  let buffers = twoBuffers(Math.min(bufferBytes, end - at));
  let filling = fill(file, buffers[0], { at, end });
  while (at < end) {
    const bytes = await filling;
    if (bytes === 0) return;
    const [filled, free] = buffers;
    at += bytes;
    buffers = [free, filled];
    filling = fill(file, free, { at, end });
    filling.catch(() => {}); // it is awaited before the next chunk, if that is requested
    yield filled.subarray(0, bytes);
  }
}

function twoBuffers(bytes: number): readonly [Uint8Array, Uint8Array] {
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
}

async function fill(
  file: FileHandle,
  buffer: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
): Promise<number> {
  if (at >= end) return 0;
  return (await file.read(buffer, 0, Math.min(buffer.length, end - at), at)).bytesRead;
}
