import type { Bytes } from "../../bytes/bytes.ts";
import { decodeXz } from "../../xz/decode-xz.ts";
import { readCompressed } from "./read-compressed.ts";

/** Decompresses xz; the compressed document and its window are in memory. @throws ScanError `malformed_feed`, `malformed_archive` */
export async function* unxz(source: Bytes, location: string): Bytes & AsyncGenerator<Uint8Array> {
  yield* decodeXz(await readCompressed(source, location));
}
