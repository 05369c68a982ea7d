import type { Bytes } from "../bytes/bytes.ts";
import { peekBytes } from "../bytes/peek-bytes.ts";
import { ScanError, type ScanErrorCode } from "../errors.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import { isDamage } from "../layer/stream-layer.ts";
import { decodeXz } from "../xz/decode-xz.ts";
import { bunzip2 } from "./bunzip2.ts";
import { compressionOf, type KnownCompression, magicBytes } from "./compression-of.ts";
import { unzstd } from "./unzstd.ts";

/** Limits and words for {@link decompressedDocument}. */
export interface DecompressedOptions {
  /** The name of the document in messages. */
  readonly name: string;
  /** The maximal size of the content. */
  readonly maxBytes: number;
  /** The code of errors of the document. */
  readonly code: ScanErrorCode;
}

/**
 * The content of a document that may be compressed by gzip, bzip2, xz or Zstandard. The first bytes decide, not the name, because a
 * server may have decompressed it.
 * @throws ScanError the given code for damaged or truncated data, and for a content that is too large
 * @example
 * declare const stored: Bytes;
 * const options = { name: "app.cdx.json.xz", maxBytes: 1024 ** 2, code: "malformed_sbom" } as const;
 * for await (const chunk of decompressedDocument(stored, options)) console.log(chunk.length);
 */
export async function* decompressedDocument(
  source: Bytes,
  { name, maxBytes, code }: DecompressedOptions,
): Bytes & AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peekBytes(source, magicBytes);
  const compression = compressionOf(head);
  let sizeBytes = 0;
  try {
    for await (const chunk of compression === undefined ? bytes : decompress(compression, bytes)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new ScanError(code, `${name}: more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new ScanError(code, `${name}: ${error.message}`, { cause: error });
  }
}

/**
 * Decompresses bytes on any platform. Memory is limited by the window of the compression.
 * @throws ScanError `malformed_archive`, `layer_corrupt` or `layer_truncated` for damaged or truncated data
 */
export function decompress(compression: KnownCompression, bytes: Bytes): Bytes {
  switch (compression) {
    case "bzip2":
      return bunzip2(bytes);
    case "gzip":
      return createGunzip()(bytes);
    case "xz":
      return decodeXz(bytes);
    case "zstd":
      return unzstd(bytes);
  }
}
