import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import * as tarStream from "tar-stream";

const files = 4000;
const seed = 20261121;

/**
 * Writes a gzip-compressed layer of about 110 MB uncompressed: a package database, and many files from a few bytes to over a hundred
 * kilobytes that compress about as well as programs and documentation. The bytes are the same in every run.
 */
export async function writeSyntheticLayer(path: string): Promise<void> {
  const random = seededRandom(seed);
  const pack = tarStream.pack();
  const writing = pipeline(pack, createGzip({ level: 6 }), createWriteStream(path));
  pack.entry(
    { name: "var/lib/dpkg/status" },
    "Package: synthetic\nStatus: install ok installed\nVersion: 1\n\n".repeat(400),
  );
  for (let index = 0; index < files; index++) {
    const name = `usr/share/folder-${index % 97}/file-${index}.bin`;
    pack.entry({ name, mtime: new Date(0) }, content(random, Math.floor(random() ** 4 * 140_000)));
  }
  pack.finalize();
  await writing;
}

/** Unevenly distributed bytes, mixed with repetitions of earlier ones. */
function content(random: () => number, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const length = Math.min(sizeBytes - at, 4 + Math.floor(random() * 24));
    const distance = Math.ceil(random() * Math.min(at, 32_000));
    if (at > 64 && random() < 0.6) bytes.copyWithin(at, at - distance, at - distance + Math.min(length, distance));
    else for (let offset = 0; offset < length; offset++) bytes[at + offset] = Math.floor(random() ** 2 * 256);
    at += length;
  }
  return bytes;
}

/** mulberry32 */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
