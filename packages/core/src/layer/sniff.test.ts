import { gzipSync, zstdCompressSync } from "node:zlib";
import { buildTar, collectBytes, concatBytes, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { sniff } from "./sniff.ts";

const tar = buildTar({ name: "f", content: "x".repeat(2000) });
const skippable = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0);

describe("sniff", () => {
  const known: readonly [string, Uint8Array, string][] = [
    ["gzip", gzipSync(tar), "gzip"],
    ["zstd", zstdCompressSync(tar), "zstd"],
    ["zstd that begins with a skippable frame", concatBytes([skippable, zstdCompressSync(tar)]), "zstd"],
    ["bzip2", new TextEncoder().encode("BZh91AY&SY"), "bzip2"],
    ["xz", Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0), "xz"],
    ["tar", tar, "none"],
    ["an empty tar", new Uint8Array(1024), "none"],
    ["nothing", new Uint8Array(0), "none"],
  ];

  it.each(known)("knows %s and gives all bytes back", async (_, bytes, compression) => {
    for (const chunkBytes of [1, 3, 512, bytes.length || 1]) {
      const sniffed = await sniff(streamBytes(bytes, chunkBytes));

      expect(sniffed.compression).toBe(compression);
      expect(await collectBytes(sniffed.bytes)).toEqual(new Uint8Array(bytes));
    }
  });

  const refused: readonly [string, Uint8Array, string, RegExp][] = [
    ["text", new TextEncoder().encode("<html>"), "malformed_archive", /3c 68 74 6d 6c 3e/],
    ["a block that is no header", new Uint8Array(512).fill(7), "malformed_archive", /07 07/],
  ];

  it.each(refused)("refuses %s", async (_, bytes, code, message) => {
    await expect(sniff(streamBytes(bytes, 2))).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
