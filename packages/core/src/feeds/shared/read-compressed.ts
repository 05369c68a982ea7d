import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** Compressed bytes of one document, for decoders that take them all at once; the largest of the feeds have a twentieth of it. */
const maxCompressedBytes = 256 * 1024 ** 2;

/** All of a compressed document. @throws ScanError `malformed_feed` for one that is too large */
export async function readCompressed(source: Bytes, location: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of source) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxCompressedBytes)
      throw malformedFeed(location, `more than ${maxCompressedBytes} compressed bytes`);
    chunks.push(chunk.slice());
  }
  return concatBytes(chunks);
}
