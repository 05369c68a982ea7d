import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import { malformed } from "./format.ts";

/** The compression of a snapshot. */
export type SnapshotCompression = "gzip" | "zstd";

/** Compresses bytes. The same input always gives the same output. */
export function compress(source: Bytes, compression: SnapshotCompression): Bytes {
  const compressor = compression === "gzip" ? createGzip() : createZstdCompress();
  return pipeline(Readable.from(source, { objectMode: false }), compressor, () => {});
}

/** Decompresses gzip or zstd, which it detects by the first bytes. @throws ScanError `malformed_feed` for other or damaged input */
export async function* decompress(source: Bytes): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (let next = await iterator.next(); ; next = await iterator.next()) {
    if (!next.done) head = Buffer.concat([head, next.value]);
    if (next.done || head.length >= 4) break;
  }
  const decompressor = decompressorOf(head);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  try {
    yield* pipeline(Readable.from(whole(), { objectMode: false }), decompressor, () => {});
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) throw error;
    throw malformed(`the snapshot is damaged or incomplete (${code}): copy it again`);
  }
}

function decompressorOf(head: Uint8Array) {
  const magic = Buffer.from(head.subarray(0, 4)).toString("hex");
  if (magic.startsWith("1f8b")) return createGunzip();
  if (magic === "28b52ffd") return createZstdDecompress();
  throw malformed("expected a snapshot compressed with gzip or zstd");
}
