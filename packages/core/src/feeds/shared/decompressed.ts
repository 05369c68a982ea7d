import type { Bytes } from "../../bytes/bytes.ts";
import { decompressedDocument } from "../../compression/decompressed-document.ts";

/** The maximal decompressed size of one document; the largest in the feeds has a tenth of it. Archives have their own limit. */
const maxDocumentBytes = 8 * 1024 ** 3;

/**
 * The content of a document of a feed that may be compressed by gzip, bzip2, xz or Zstandard.
 * @throws ScanError `malformed_feed` with `location` in its message, for damaged or truncated data
 */
export function decompressed(
  source: Bytes,
  location: string,
  maxBytes = maxDocumentBytes,
): Bytes & AsyncGenerator<Uint8Array> {
  return decompressedDocument(source, { name: location, maxBytes, code: "malformed_feed" });
}
