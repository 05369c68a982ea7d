import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "@plimsoll/core";
import type { RandomAccess } from "@plimsoll/core/images";

/** Every read is a job for another thread: large ones are needed to keep that small. */
const chunkBytes = 1024 ** 2;

/** An open file of so many bytes; it stays open as long as parts are read. */
export function fileAccess(file: FileHandle, sizeBytes: number): RandomAccess {
  return {
    sizeBytes,
    read: (offset, length) => readRange(file, offset, length),
    stream: (offset, length) => streamRange(file, offset, length),
    rangeOf: (offset, length) => ({ fd: file.fd, offset, sizeBytes: length }),
  };
}

/** A part of a file, in chunks. Ends early where the file does. */
export async function* streamRange(file: FileHandle, offset: number, length: number): Bytes {
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(length, 1)));
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), offset + at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A part of a file that the caller knows to be small. Shorter where the file ends. */
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
