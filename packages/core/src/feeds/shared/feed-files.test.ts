import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { counted, inChunks } from "../../bytes/fixtures/in-chunks.ts";
import { decompressed } from "./feed-files.ts";
import { collect } from "./fixtures/items-of.ts";

/** `bzip2` of "hello hello hello\n" and of nothing. */
const hello = Buffer.from("QlpoOTFBWSZTWeW18wkAAARRAAAQQAACRKAAIbUYDAKQacKjC7kinChIctr5hIA=", "base64");
const nothing = Buffer.from("QlpoORdyRThQkAAAAAA=", "base64");

/** `xz` of the same. */
const xz = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAAfAdnIh8FDyAABKBLJamKOH7bzfQEAAAAABFla",
  "base64",
);

async function* bytesOf(...chunks: Uint8Array[]): Bytes & AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function read(...chunks: Uint8Array[]): Promise<string> {
  const pieces = await collect(copies(decompressed(bytesOf(...chunks), "feed.xml")));
  return new TextDecoder().decode(concatBytes(pieces));
}

async function* copies(source: Bytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) yield chunk.slice();
}

const text = "hello hello hello\n";

describe("decompressed", () => {
  it.each([
    ["plain text", [Buffer.from(text)], text],
    ["gzip", [gzipSync(text)], text],
    ["gzip byte by byte", [...gzipSync(text)].map((byte) => Uint8Array.of(byte)), text],
    ["bzip2", [hello], text],
    ["bzip2 byte by byte", [...hello].map((byte) => Uint8Array.of(byte)), text],
    ["xz", [xz], text],
    ["xz byte by byte", [...xz].map((byte) => Uint8Array.of(byte)), text],
    ["zstd", [zstdCompressSync(text)], text],
    ["zstd byte by byte", [...zstdCompressSync(text)].map((byte) => Uint8Array.of(byte)), text],
    ["several streams of bzip2", [hello, hello], text + text],
    ["bzip2 of nothing", [nothing], ""],
    ["nothing", [], ""],
  ])("gives the content of %s", async (_, chunks, content) => {
    expect(await read(...chunks)).toBe(content);
  });

  it.each([
    ["gzip that is cut off", gzipSync(text).subarray(0, 20)],
    ["gzip with another checksum", changed(gzipSync(text), -8)],
    ["bzip2 that is cut off", hello.subarray(0, 30)],
    ["bzip2 with another checksum", changed(hello, 12)],
    ["bzip2 with another checksum of the stream", changed(hello, -2)],
    ["xz that is cut off", xz.subarray(0, 40)],
    ["xz with another checksum", changed(xz, 12)],
    ["zstd that is cut off", zstdCompressSync(text).subarray(0, 12)],
    ["zstd with a window of 1 GB", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x01, 0x00, 0x00)],
    [
      "zstd with 1 GB in one piece",
      Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x00, 0x00, 0x00, 0x40, 0x01, 0x00, 0x00),
    ],
    ["zstd of nonsense", Buffer.concat([zstdCompressSync(text).subarray(0, 5), Buffer.alloc(40, 0xff)])],
    ["bzip2 of a block size that is not there", Buffer.from("BZh0")],
    ["bzip2 behind which something else is", concatBytes([hello, Buffer.from("more")])],
  ])("refuses %s", async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining("feed.xml"),
    });
  });

  it.each([
    ["bzip2", concatBytes([hello, nothing, hello, hello])],
    ["xz", concatBytes([xz, xz, xz])],
  ])("gives the same bytes of %s in whatever chunks they come", async (_, file) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
        const pieces = await collect(copies(decompressed(inChunks(file, sizes), "feed.xml")));
        expect(new TextDecoder().decode(concatBytes(pieces))).toBe(text.repeat(3));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["bzip2", hello, 120_000, 90_000],
    ["xz", xz, 2000, 20],
  ])("gives the beginning of %s before the end has come", async (_, stream, count, expected) => {
    const source = counted(concatBytes(Array.from({ length: count }, () => stream)), 64);

    for await (const piece of decompressed(source.bytes, "feed.xml")) {
      expect(new TextDecoder().decode(piece)).toBe(text);
      break;
    }

    expect(source.given).toBeLessThan(expected);
    expect(source.isReleased).toBe(true);
  });

  it.each([
    ["bzip2", concatBytes(Array.from({ length: 40 }, () => hello))],
    ["xz", concatBytes(Array.from({ length: 40 }, () => xz))],
  ])("ends %s that grows beyond what a document may have", async (_, file) => {
    const reading = collect(decompressed(inChunks(file, [100]), "feed.xml", 400));

    await expect(reading).rejects.toMatchObject({ code: "malformed_feed", message: "feed.xml: more than 400 bytes" });
  });

  it("says what is wrong with bzip2 wherever it is damaged, and never hangs", async () => {
    for (let at = 4; at < hello.length - 1; at++) {
      const outcome = await read(changed(hello, at)).catch((error) => error.code);
      expect(["malformed_feed", text]).toContain(outcome);
    }
  });
});

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 0x55;
  return copy;
}
