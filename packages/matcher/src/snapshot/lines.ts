import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import { malformed } from "./format.ts";

/** The largest size of one line; an advisory with thousands of versions has some hundred thousand bytes. */
const maxLineBytes = 64 * 1024 ** 2;

/** Reads lines one by one and computes the digest of the lines so far. */
export class LineReader {
  readonly #lines: AsyncIterator<Uint8Array>;
  #hash: Hash = createHash("sha256");

  constructor(source: Bytes) {
    this.#lines = splitLines(source);
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    const line = await this.#lines.next();
    if (line.done) return undefined;
    this.#hash.update(line.value);
    return Buffer.from(line.value).toString("utf8");
  }

  /** The digest of all lines so far. */
  digest(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  async close(): Promise<void> {
    await this.#lines.return?.();
  }
}

/** Splits bytes into lines with their line ends; bytes after the last line end are a line too. */
async function* splitLines(source: Bytes): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    rest.push(Uint8Array.from(chunk.subarray(start)));
    restBytes += chunk.length - start;
    if (restBytes > maxLineBytes) throw malformed(`a line of the snapshot has more than ${maxLineBytes} bytes`);
  }
  if (restBytes > 0) yield Buffer.concat(rest);
}

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
