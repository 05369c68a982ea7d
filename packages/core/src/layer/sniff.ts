import type { Bytes } from "../bytes/bytes.ts";
import { peekBytes } from "../bytes/peek-bytes.ts";
import { compressionOf, type KnownCompression } from "../compression/compression-of.ts";
import { ScanError } from "../errors.ts";
import { blockBytes, hasValidChecksum, isZeroBlock } from "../tar/header.ts";

/** The compression of a layer or an archive. Layers may not have bzip2 and xz; archives may. */
export type Compression = KnownCompression | "none";

/** The compression of a stream, and its bytes from the beginning. */
export interface Sniffed {
  readonly compression: Compression;
  readonly bytes: Bytes;
}

/**
 * Finds the compression from the first bytes. The media type is not used, because it is often wrong. An empty stream is an
 * empty archive.
 * @param expected what the bytes should be, for the message
 * @throws ScanError `malformed_archive` for bytes that are not an archive
 * @example
 * declare const source: Bytes;
 * const { compression, bytes } = await sniff(source);
 */
export async function sniff(source: Bytes, expected = "gzip, zstd or tar"): Promise<Sniffed> {
  const { head, bytes } = await peekBytes(source, blockBytes);
  try {
    return { compression: archiveCompression(head.subarray(0, blockBytes), expected), bytes };
  } catch (error) {
    await bytes[Symbol.asyncIterator]().return?.(); // releases the source
    throw error;
  }
}

function archiveCompression(head: Uint8Array, expected: string): Compression {
  const found = compressionOf(head);
  if (found !== undefined) return found;
  if (head.length === 0 || isZeroBlock(head) || hasValidChecksum(head)) return "none";
  const bytes = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  throw new ScanError("malformed_archive", `expected ${expected}, found bytes ${bytes}`);
}
