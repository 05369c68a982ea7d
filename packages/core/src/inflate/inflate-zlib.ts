import { bigEndian, bytesAt } from "../bytes/byte-order.ts";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { inflateChunks } from "../zip/inflate-entry.ts";
import type { Inflater } from "./inflater.ts";

/** The size limit of a content, and its name for messages. */
export interface ZlibContent {
  readonly maxBytes: number;
  readonly at: string;
}

/**
 * Decompresses a zlib stream: `u8 method (low 4 bits: 8), u8 flags (0x20: dictionary), DEFLATE stream, u32 checksum`. The first two
 * bytes, as a big-endian number, are a multiple of 31. The checksum is not compared: the file comes from a layer whose digest is checked.
 * @throws ScanError `malformed_package_db` or `malformed_archive` where it is damaged or has more than `maxBytes`
 * @see https://www.rfc-editor.org/rfc/rfc1950
 */
export function inflateZlib(inflater: Inflater, stream: Uint8Array, { maxBytes, at }: ZlibContent): Uint8Array {
  const head = bigEndian.u16(bytesAt(stream, 0, 2), 0);
  const isZlib = ((head >>> 8) & 0xf) === 8 && head % 31 === 0 && (head & 0x20) === 0;
  if (!isZlib) throw malformedPackageDb(`${at}: expected a zlib stream, found something else`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const chunk of inflateChunks(inflater, [stream.subarray(2)], at)) {
    length += chunk.length;
    if (length > maxBytes) throw malformedPackageDb(`${at}: expected at most ${maxBytes} bytes, found more`);
    chunks.push(chunk.slice()); // the inflater reuses the chunk's memory
  }
  return concatBytes(chunks);
}
