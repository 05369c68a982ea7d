import type { Bytes } from "../../bytes/bytes.ts";
import type { FileRange } from "../image-source.ts";

/** A file any part of which can be read at any time. */
export interface RandomAccess {
  readonly sizeBytes: number;
  /** A part that the caller knows to be small. Shorter where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** A part, in chunks, each of which is valid until the next one comes. Ends early where the file does. */
  stream(offset: number, length: number): Bytes;
  /** Where a part stands, for a thread that reads it by itself; absent where no other thread could. */
  rangeOf?(offset: number, sizeBytes: number): FileRange;
}

/** What archives need of a `Blob` or a `File`, as a browser has them for files that are dropped or chosen. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

const chunkBytes = 1024 ** 2;

/**
 * A blob as a file.
 * @example
 * const file = blobAccess(new Blob(["abc"]));
 */
export function blobAccess(blob: BlobLike): RandomAccess {
  const read = async (offset: number, length: number) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
  return {
    sizeBytes: blob.size,
    read,
    async *stream(offset, length) {
      const end = Math.min(offset + length, blob.size);
      for (let at = offset; at < end; at += chunkBytes) yield await read(at, Math.min(chunkBytes, end - at));
    },
  };
}
