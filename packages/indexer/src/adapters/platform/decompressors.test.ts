import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { Bytes } from "@plimsoll/core";
import type { Decompress } from "@plimsoll/core/internal";
import { collectBytes, concatBytes, digestOf, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { chooseGunzip, nodeDecompressors, unzstd, zlibGunzip } from "./decompressors.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const long = text("some content that repeats ".repeat(40_000));

async function decode(decompress: Decompress, bytes: Uint8Array, chunkBytes?: number): Promise<Uint8Array> {
  return collectBytes(decompress(streamBytes(bytes, chunkBytes)));
}

function flip(bytes: Uint8Array, at: number): Uint8Array {
  const flipped = new Uint8Array(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}

async function* failing(bytes: Uint8Array): Bytes {
  yield bytes;
  throw new Error("connection reset");
}

const gzips: readonly (readonly [string, Decompress])[] = [
  ["nodeDecompressors.gzip", nodeDecompressors.gzip],
  ["zlibGunzip", zlibGunzip],
];

describe.each(gzips)("%s", (_, gunzip) => {
  const rows: readonly [string, Uint8Array, Uint8Array][] = [
    ["one member", gzipSync(long), long],
    ["several members", concatBytes([gzipSync(long), gzipSync(long)]), concatBytes([long, long])],
  ];

  it.each(rows)("reads %s", async (_name, bytes, expected) => {
    for (const chunkBytes of [bytes.length, 1000, 7])
      expect(digestOf(await decode(gunzip, bytes, chunkBytes))).toBe(digestOf(expected));
  });

  it.each([
    ["cut bytes", gzipSync(long).subarray(0, 500), "layer_truncated"],
    ["damaged bytes", flip(gzipSync(long), 300), "layer_corrupt"],
  ])("refuses %s", async (_name, bytes, code) => {
    await expect(decode(gunzip, bytes, 99)).rejects.toMatchObject({ code });
  });

  it("passes errors of its source on", async () => {
    await expect(collectBytes(gunzip(failing(gzipSync(long))))).rejects.toThrow("connection reset");
  });

  it("lets its source go when the consumer stops", async () => {
    let isOpen = true;
    async function* source(): Bytes {
      try {
        for (;;) yield gzipSync(long);
      } finally {
        isOpen = false;
      }
    }

    for await (const _chunk of gunzip(source())) break;

    expect(isOpen).toBe(false);
  });
});

describe("nodeDecompressors.gzip", () => {
  it.each([
    ["zeros", new Uint8Array(100_000)],
    ["garbage", text("garbage")],
  ])("ignores %s behind, whatever the chunks", async (_, behind) => {
    const bytes = concatBytes([gzipSync("hello"), behind]);

    for (const chunkBytes of [bytes.length, 7]) {
      expect(await decode(nodeDecompressors.gzip, bytes, chunkBytes)).toEqual(text("hello"));
    }
  });
});

describe("chooseGunzip", () => {
  it("takes node:zlib where Node runs without WebAssembly", () => {
    expect(chooseGunzip({})).toBe(zlibGunzip);
    expect(chooseGunzip(globalThis)).not.toBe(zlibGunzip);
  });
});

describe("unzstd", () => {
  const skippable = concatBytes([Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0), text("notes")]);
  const checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
  const noSize = { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } };
  const frame = zstdCompressSync(long);
  const rows: readonly [string, Uint8Array, string][] = [
    ["one frame", zstdCompressSync("hello"), "hello"],
    ["an empty frame", zstdCompressSync(""), ""],
    ["a run", zstdCompressSync("a".repeat(5000)), "a".repeat(5000)],
    ["a checksum", zstdCompressSync("hello", checksum), "hello"],
    ["an unknown size", zstdCompressSync("hello", noSize), "hello"],
    ["several frames", concatBytes([zstdCompressSync("hel", checksum), zstdCompressSync("lo")]), "hello"],
    ["a skippable frame first", concatBytes([skippable, zstdCompressSync("hello")]), "hello"],
    ["a skippable frame between", concatBytes([zstdCompressSync("hel"), skippable, zstdCompressSync("lo")]), "hello"],
    ["a skippable frame last", concatBytes([zstdCompressSync("hello"), skippable]), "hello"],
  ];

  it.each(rows)("reads %s, whatever the chunks", async (_, bytes, expected) => {
    for (const chunkBytes of [bytes.length, 1, 5]) {
      expect(Buffer.from(await decode(unzstd, bytes, chunkBytes)).toString("latin1")).toBe(expected);
    }
  });

  it.each([["1"], ["19"]])("reads long frames of level %s", async (level) => {
    const options = { params: { [constants.ZSTD_c_compressionLevel]: Number(level) } };
    const bytes = zstdCompressSync(long, options);

    const read = await decode(unzstd, concatBytes([bytes, bytes]), 999);

    expect(digestOf(read)).toBe(digestOf(concatBytes([long, long])));
  });

  const damaged: readonly [string, Uint8Array, string][] = [
    ["garbage behind", concatBytes([frame, text("garbage")]), "layer_corrupt"],
    ["a damaged frame", new Uint8Array(zstdCompressSync(long, checksum)).fill(0xff, 20, 30), "layer_corrupt"],
    ["a cut frame", frame.subarray(0, frame.length - 1), "layer_truncated"],
    ["a cut second frame", concatBytes([frame, frame.subarray(0, 9)]), "layer_truncated"],
    ["a cut magic number", concatBytes([frame, frame.subarray(0, 3)]), "layer_truncated"],
    ["a cut skippable frame", concatBytes([frame, skippable.subarray(0, 10)]), "layer_truncated"],
  ];

  it.each(damaged)("refuses %s", async (_, bytes, code) => {
    for (const chunkBytes of [bytes.length, 1]) {
      await expect(decode(unzstd, bytes, chunkBytes)).rejects.toMatchObject({ code });
    }
  });

  it("refuses a window of gigabytes", async () => {
    const bytes = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00);

    await expect(decode(unzstd, bytes)).rejects.toMatchObject({ code: "layer_corrupt" });
  });
});
