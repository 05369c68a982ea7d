import type { Bytes } from "../../bytes/bytes.ts";
import { peekBytes } from "../../bytes/peek-bytes.ts";
import { ScanError } from "../../errors.ts";
import { createGunzip } from "../../inflate/gunzip.ts";
import { decodeXz } from "../../xz/decode-xz.ts";
import { bunzip2 } from "./bunzip2.ts";
import { malformedFeed } from "./malformed-feed.ts";
import { unzstd } from "./unzstd.ts";

/** The maximal decompressed size of one document; the largest in the feeds has a tenth of it. Archives have their own limit. */
const maxDocumentBytes = 8 * 1024 ** 3;

/**
 * The content of a document that may be compressed by gzip, bzip2, xz or Zstandard. The first bytes decide, not the name, because a
 * server may have decompressed it.
 * @throws ScanError `malformed_feed` with `location` in its message, for damaged or truncated data
 */
export async function* decompressed(
  source: Bytes,
  location: string,
  maxBytes = maxDocumentBytes,
): Bytes & AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peekBytes(source, 6);
  let sizeBytes = 0;
  try {
    for await (const chunk of contentOf(head, bytes, location)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw malformedFeed(location, `more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ScanError && damages.has(error.code) ? malformedFeed(location, error.message, error) : error;
  }
}

/** The codes for damaged data of decoders that are not specific to feeds. */
const damages: ReadonlySet<string> = new Set(["layer_corrupt", "layer_truncated", "malformed_archive"]);

function contentOf(head: Uint8Array, bytes: Bytes, location: string): Bytes {
  const startsWith = (...magic: readonly number[]) => magic.every((byte, at) => head[at] === byte);
  if (startsWith(0x1f, 0x8b)) return createGunzip()(bytes);
  if (startsWith(0x42, 0x5a, 0x68)) return bunzip2(bytes, location);
  if (startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)) return decodeXz(bytes);
  if (startsWith(0x28, 0xb5, 0x2f, 0xfd)) return unzstd(bytes, location);
  return bytes;
}
