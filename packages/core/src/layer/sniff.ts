import type { Bytes } from "../bytes/bytes.ts";
import { peekBytes } from "../bytes/peek-bytes.ts";
import { ScanError } from "../errors.ts";
import { blockBytes, hasValidChecksum, isZeroBlock } from "../tar/header.ts";

/** The compression of a layer. */
export type Compression = "gzip" | "none" | "zstd";

/** The compression of a stream, and its bytes from the beginning. */
export interface Sniffed {
  readonly compression: Compression;
  readonly bytes: Bytes;
}

const magics: readonly (readonly [Compression | "bzip2" | "xz", readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
];

/**
 * Finds the compression from the first bytes. The media type is not used, because it is often wrong. An empty stream is an
 * empty archive.
 * @throws ScanError `unsupported_compression` for bzip2 and xz, `malformed_archive` for bytes that are not an archive
 * @example
 * declare const source: Bytes;
 * const { compression, bytes } = await sniff(source);
 */
export async function sniff(source: Bytes): Promise<Sniffed> {
  const { head, bytes } = await peekBytes(source, blockBytes);
  try {
    return { compression: compressionOf(head.subarray(0, blockBytes)), bytes };
  } catch (error) {
    await bytes[Symbol.asyncIterator]().return?.(); // releases the source
    throw error;
  }
}

function compressionOf(head: Uint8Array): Compression {
  const found = magics.find(([, magic]) => magic.every((byte, at) => head[at] === byte))?.[0];
  if (found === "bzip2" || found === "xz") {
    throw new ScanError("unsupported_compression", `expected gzip, zstd or plain tar, found ${found}`);
  }
  if (found !== undefined) return found;
  if (startsWithSkippableFrame(head)) return "zstd";
  if (head.length === 0 || isZeroBlock(head) || hasValidChecksum(head)) return "none";
  const bytes = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  throw new ScanError("malformed_archive", `expected gzip, zstd or tar, found bytes ${bytes}`);
}

/** @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.2 */
function startsWithSkippableFrame(head: Uint8Array): boolean {
  return ((head[0] ?? 0) & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}
