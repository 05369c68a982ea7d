import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "@plimsoll/core";
import type { RandomAccess } from "@plimsoll/core/internal";

/** Every read is a job for another thread: large reads keep that cost small. */
const chunkBytes = 1024 ** 2;

/** Random access to an open file. The caller closes the file after the last read. */
export function fileAccess(file: FileHandle, sizeBytes: number): RandomAccess {
  return {
    sizeBytes,
    read: (offset, length) => readRange(file, offset, length),
    stream: (offset, length) => streamRange(file, offset, length),
    rangeOf: (offset, length) => ({ fd: file.fd, offset, sizeBytes: length }),
  };
}

/** A range of a file, in chunks. It ends early if the file is shorter. */
export async function* streamRange(file: FileHandle, offset: number, length: number): Bytes {
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(length, 1)));
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), offset + at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A small range of a file, in memory. It is shorter if the file is shorter. */
export async function readRange(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
