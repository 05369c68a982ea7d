import { createHash } from "node:crypto";
import { constants, deflateRawSync, gzipSync, crc32 as nodeCrc32 } from "node:zlib";
import { collectBytes, concatBytes, fullTestRuns, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Bytes } from "../bytes/bytes.ts";
import { createGunzip } from "./gunzip.ts";

const gunzip = createGunzip();

async function decode(bytes: Uint8Array, chunkBytes?: number): Promise<string> {
  const decoded = await collectBytes(gunzip(streamBytes(bytes, chunkBytes)));
  return Buffer.from(decoded).toString("latin1");
}

interface HeaderOptions {
  readonly flags: number;
  readonly fields?: Uint8Array;
}

/** A member with a header of our own. */
function member(content: string, { flags, fields = new Uint8Array(0) }: HeaderOptions): Uint8Array {
  const header = concatBytes([Uint8Array.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3), fields]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(nodeCrc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  const headerCrc = Buffer.alloc(flags & 2 ? 2 : 0);
  if (flags & 2) headerCrc.writeUInt16LE(nodeCrc32(header) & 0xffff);
  return concatBytes([header, headerCrc, deflateRawSync(content), trailer]);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const allFields = concatBytes([Uint8Array.of(3, 0, 1, 2, 3), text("name\0"), text("comment\0")]);
const zeros = new Uint8Array(700);

describe("createGunzip", () => {
  const files: readonly [string, Uint8Array, string][] = [
    ["one member", gzipSync("hello"), "hello"],
    ["an empty member", gzipSync(""), ""],
    ["stored blocks", gzipSync("hello".repeat(15_000), { level: 0 }), "hello".repeat(15_000)],
    ["a fixed code", gzipSync("hello hello", { strategy: constants.Z_FIXED }), "hello hello"],
    ["a header with all fields", member("hello", { flags: 0x1f, fields: allFields }), "hello"],
    ["a header with a CRC", member("hello", { flags: 2 }), "hello"],
    ["several members", concatBytes([gzipSync("hel"), gzipSync(""), gzipSync("lo")]), "hello"],
    [
      "members with and without fields",
      concatBytes([gzipSync("a"), member("b", { flags: 8, fields: text("n\0") })]),
      "ab",
    ],
    ["zeros behind", concatBytes([gzipSync("hello"), zeros]), "hello"],
    ["garbage behind", concatBytes([gzipSync("hello"), text("garbage")]), "hello"],
    ["half a magic number behind", concatBytes([gzipSync("hello"), Uint8Array.of(0x1f)]), "hello"],
    ["a member behind garbage, which is garbage too", concatBytes([gzipSync("a"), zeros, gzipSync("b")]), "a"],
  ];

  it.each(files)("reads %s, whatever the chunks", async (_, bytes, expected) => {
    for (const chunkBytes of [bytes.length, 1, 2, 7, 1000]) expect(await decode(bytes, chunkBytes)).toBe(expected);
  });

  const patched = (bytes: Uint8Array, at: number, value: number): Uint8Array =>
    new Uint8Array(bytes).fill(value, at, at + 1);
  const hello = gzipSync("hello");
  const damaged: readonly [string, Uint8Array, string, RegExp][] = [
    ["no bytes", new Uint8Array(0), "layer_truncated", /header/],
    ["something else", text("PK\x03\x04 and so on"), "layer_corrupt", /1f 8b/],
    ["another method", patched(hello, 2, 7), "layer_corrupt", /method 8, found 7/],
    ["reserved flags", patched(hello, 3, 0x80), "layer_corrupt", /flags/],
    ["a wrong header CRC", patched(member("hello", { flags: 2 }), 10, 0), "layer_corrupt", /header: its CRC/],
    ["a wrong CRC", patched(hello, hello.length - 8, 1), "layer_corrupt", /CRC-32/],
    ["a wrong length", patched(hello, hello.length - 4, 9), "layer_corrupt", /length/],
    ["a block type that does not exist", patched(hello, 10, 0x07), "layer_corrupt", /type/],
    ["a bad stored length", patched(gzipSync("hello", { level: 0 }), 12, 1), "layer_corrupt", /complement/],
    ["a broken second member", concatBytes([hello, patched(hello, 2, 0)]), "layer_corrupt", /method/],
    ["a second member that is cut", concatBytes([hello, hello.subarray(0, 3)]), "layer_truncated", /header/],
  ];

  it.each(damaged)("refuses %s", async (_, bytes, code, message) => {
    for (const chunkBytes of [bytes.length || 1, 1]) {
      await expect(decode(bytes, chunkBytes)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    }
  });

  it("refuses a stream that is cut anywhere", async () => {
    const bytes = member("hello, hello, hello, world".repeat(9), { flags: 0x1f, fields: allFields });

    for (let length = 0; length < bytes.length; length++) {
      for (const chunkBytes of [length || 1, 1]) {
        await expect(decode(bytes.subarray(0, length), chunkBytes)).rejects.toMatchObject({ code: "layer_truncated" });
      }
    }
  });

  it("refuses a match that reaches into the output of another stream", async () => {
    await decode(gzipSync("secret ".repeat(1000)));
    const reaching = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x03, 0x02, 0, 0, 0, 0, 0, 0, 0, 0);

    await expect(decode(reaching)).rejects.toMatchObject({ code: "layer_corrupt", message: /before the beginning/ });
  });

  it("reads many streams at once", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `${index} `.repeat(100_000));

    const decoded = await Promise.all(texts.map((content) => decode(gzipSync(content), 999)));

    expect(decoded.map((content, index) => content === texts[index])).toEqual(texts.map(() => true));
  });

  it("lets its source go when the consumer stops", async () => {
    let isOpen = true;
    async function* source(): Bytes {
      try {
        for (;;) yield gzipSync("hello");
      } finally {
        isOpen = false;
      }
    }

    for await (const _ of gunzip(source())) break;

    expect(isOpen).toBe(false);
  });

  it("keeps its memory however much comes out", async () => {
    const bytes = gzipSync(new Uint8Array(100 * 1024 ** 2));
    let length = 0;
    const before = process.memoryUsage().arrayBuffers;

    for await (const chunk of gunzip(streamBytes(bytes, 65536))) length += chunk.length;

    expect(length).toBe(100 * 1024 ** 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 ** 2);
  });

  it.each([
    ["a wrong CRC", patched(hello, hello.length - 8, 1), "hello"],
    ["a wrong length", patched(hello, hello.length - 4, 9), "layer_corrupt"],
    ["a cut trailer", hello.subarray(0, hello.length - 1), "layer_truncated"],
    ["several members", concatBytes([hello, hello]), "hellohello"],
  ])("does not look at the CRC-32 of a verified stream: %s", async (_, bytes, expected) => {
    const decoding = collectBytes(gunzip(streamBytes(bytes, 7), { isVerified: true }));

    expect(await decoding.then((decoded) => Buffer.from(decoded).toString()).catch((error) => error.code)).toBe(
      expected,
    );
  });

  it("takes a CRC-32 from outside", async () => {
    const faster = createGunzip({ crc32: () => 0 });

    const decoding = collectBytes(faster(streamBytes(gzipSync("hello"), 99)));

    await expect(decoding).rejects.toMatchObject({ code: "layer_corrupt" });
  });
});

/** mulberry32: small, seeded and good enough to make test inputs. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("createGunzip against node:zlib", () => {
  const random = seeded(20261121);
  const below = (limit: number): number => Math.floor(random() * limit);

  /** Bytes of one of five textures, from noise to long runs. */
  function texture(kind: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at++) {
      if (kind === 0) bytes[at] = below(256);
      else if (kind === 1) bytes[at] = 97 + below(4);
      else if (kind === 2) bytes[at] = 65;
      else if (kind === 3) bytes[at] = Math.floor(random() ** 4 * 256);
      else
        bytes[at] = at > 300 && random() < 0.98 ? (bytes[at - 1 - below(at > 32768 ? 32767 : 300)] ?? 0) : below(256);
    }
    return bytes;
  }

  const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE];
  function compress(content: Uint8Array): Uint8Array {
    const options = {
      level: below(10),
      memLevel: 1 + below(9),
      strategy: strategies[below(4)] ?? 0,
      windowBits: 9 + below(7),
    };
    return gzipSync(content, options);
  }

  const digest = (bytes: Uint8Array | string): string =>
    createHash("sha256")
      .update(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes)
      .digest("hex");

  it("gives the same bytes for every level, strategy and chunking", async () => {
    for (let round = 0; round < fullTestRuns(150); round++) {
      const contents = Array.from({ length: 1 + below(3) }, () =>
        texture(below(5), Math.floor(random() ** 4 * 400_000)),
      );
      const bytes = concatBytes(contents.map(compress));
      const chunkBytes = round % 10 === 0 && bytes.length < 20_000 ? 1 : 1 + below(100_000);

      expect(digest(await decode(bytes, chunkBytes)), `round ${round}`).toBe(digest(concatBytes(contents)));
    }
  });

  it("never gives other bytes for damaged ones", async () => {
    for (let round = 0; round < fullTestRuns(400); round++) {
      const content = texture(below(5), 50 + below(3000));
      const bytes = new Uint8Array(compress(content));
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));

      const decoded = await decode(bytes, 1 + below(bytes.length)).catch((error) => error.code);

      const outcomes = [Buffer.from(content).toString("latin1"), "layer_corrupt", "layer_truncated"];
      expect(outcomes.includes(decoded), `round ${round}`).toBe(true);
    }
  });
});
