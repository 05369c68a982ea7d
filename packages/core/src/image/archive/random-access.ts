import type { Bytes } from "../../bytes/bytes.ts";
import type { FileRange } from "../image-source.ts";

/** A file of which any part can be read at any time. */
export interface RandomAccess {
  readonly sizeBytes: number;
  /** Reads a part into memory, so the caller limits its length. Shorter where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Streams a part. Ends early where the file does. */
  stream(offset: number, length: number): Bytes;
  /** A part as a range of an open file, for a thread that reads it itself; absent where other threads cannot. */
  rangeOf?(offset: number, sizeBytes: number): FileRange;
}

/** The members of a browser's `Blob` or `File` that reading an archive uses. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

const chunkBytes = 1024 ** 2;

/**
 * Random access to a `Blob` or `File`.
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
