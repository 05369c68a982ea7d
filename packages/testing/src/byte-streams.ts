import type { Bytes } from "@plimsoll/core";

/** The bytes in chunks of the given size. All chunks share one buffer: a chunk is valid only until the next one is read. */
export async function* streamBytes(bytes: Uint8Array, chunkBytes: number = bytes.length || 1): Bytes {
  const buffer = new Uint8Array(Math.min(chunkBytes, bytes.length));
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const part = bytes.subarray(at, at + chunkBytes);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
}

/** All bytes of a stream, copied. */
export async function collectBytes(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of source) parts.push(new Uint8Array(chunk));
  return new Uint8Array(Buffer.concat(parts));
}
