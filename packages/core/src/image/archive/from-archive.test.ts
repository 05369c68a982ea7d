import { gzipSync, zstdCompressSync } from "node:zlib";
import { collectBytes, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createGunzip } from "../../inflate/gunzip.ts";
import type { Compression } from "../../layer/sniff.ts";
import { decompressArchive } from "./from-archive.ts";

const text = "hello hello hello\n";

/** The text as `bzip2` and `xz` compress it. */
const bzip2 = Buffer.from("QlpoOTFBWSZTWeW18wkAAARRAAAQQAACRKAAIbUYDAKQacKjC7kinChIctr5hIA=", "base64");
const xz = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAAfAdnIh8FDyAABKBLJamKOH7bzfQEAAAAABFla",
  "base64",
);

/** 300,000 zeros. */
const zeros = Buffer.alloc(300_000);
const bombs: readonly (readonly [Compression, Uint8Array])[] = [
  ["gzip", gzipSync(zeros)],
  ["zstd", zstdCompressSync(zeros)],
  ["bzip2", Buffer.from("QlpoOTFBWSZTWd9HTW8AAkxAgMAABAAACCAAMMwFKaYURsRRHi7kinChIb6Omt4=", "base64")],
  [
    "xz",
    Buffer.from(
      "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj5JPfAG9dAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGw1jEDBAAAAH58pcZX/q9AAAYsB4KcSAHhj/vixxGf7AgAAAAAEWVo=",
      "base64",
    ),
  ],
];

const limits = { maxRatio: 100, ratioFromBytes: 10_000 };
const decompressors = { gzip: createGunzip() };

describe("decompressArchive", () => {
  it.each<[Compression, Uint8Array]>([
    ["none", Buffer.from(text)],
    ["gzip", gzipSync(text)],
    ["zstd", zstdCompressSync(text)],
    ["bzip2", bzip2],
    ["xz", xz],
  ])("gives the archive of %s, with the decompressors of the platform or without", async (compression, stored) => {
    const bytes = decompressArchive({ compression, bytes: streamBytes(stored, 7) }, { decompressors, limits });

    expect(new TextDecoder().decode(await collectBytes(bytes))).toBe(text);
  });

  it.each(bombs)("ends an archive of %s that grows beyond the allowed ratio", async (compression, stored) => {
    const bytes = decompressArchive({ compression, bytes: streamBytes(stored) }, { decompressors, limits });

    await expect(collectBytes(bytes)).rejects.toMatchObject({ code: "layer_ratio" });
  });
});
