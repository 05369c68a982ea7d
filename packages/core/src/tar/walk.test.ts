import { buffer } from "node:stream/consumers";
import {
  buildTar,
  buildTarWithoutEnd,
  concatBytes,
  longNameMember,
  type OddMember,
  paxMember,
} from "@plimsoll/testing";
import * as tarStream from "tar-stream";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../bytes/limits.ts";
import type { TarEntry } from "./entry.ts";
import { TarWalker } from "./walk.ts";

const text = new TextDecoder();

interface Walk {
  readonly names: string[];
  readonly entries: TarEntry[];
  readonly contents: Record<string, string>;
}

function walk(
  archive: Uint8Array,
  options: { chunkBytes?: number; limits?: Partial<typeof defaultLimits> } = {},
): Walk {
  const entries: TarEntry[] = [];
  const contents: Record<string, string> = {};
  const walker = new TarWalker(
    {
      entry(entry) {
        entries.push(entry);
        return entry.kind === "file" && !entry.name.endsWith(".skip");
      },
      content(entry, bytes) {
        contents[entry.name] = text.decode(bytes);
      },
    },
    { ...defaultLimits, ...options.limits },
  );
  const chunkBytes = options.chunkBytes ?? archive.length;
  for (let at = 0; at < archive.length; at += chunkBytes) walker.write(archive.slice(at, at + chunkBytes));
  walker.end();
  return { names: entries.map((entry) => entry.name), entries, contents };
}

function size(number: string | Uint8Array): Pick<OddMember, "fields"> {
  return { fields: { 124: number } };
}

const latin1 = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, "latin1"));
const file = (name: string, content = "c"): OddMember => ({ name, content });
const star = { 345: `${"p".repeat(131)}12345670 23456701 `, 508: "tar\0" };

describe("TarWalker", () => {
  const named: readonly [string, readonly (OddMember | Uint8Array)[], string][] = [
    ["a ustar name", [file("etc/a")], "etc/a"],
    ["a ustar prefix", [{ ...file("b"), fields: { 345: "x/y" } }], "x/y/b"],
    ["a name of 100 bytes without NUL", [file("n".repeat(100))], "n".repeat(100)],
    ["no prefix in a GNU header", [{ ...file("b"), format: "gnu", fields: { 345: "12345670123" } }], "b"],
    ["no prefix in a v7 header", [{ ...file("b"), format: "v7", fields: { 345: "junk" } }], "b"],
    ["a star prefix of 131 bytes", [{ ...file("b"), fields: star }], `${"p".repeat(131)}/b`],
    ["a GNU long name", [longNameMember("l".repeat(300)), file("short")], "l".repeat(300)],
    ["a pax path", [paxMember([["path", "ü".repeat(90)]]), file("short")], "ü".repeat(90)],
    ["a Solaris extended header", [{ ...paxMember([["path", "new"]]), type: "X" }, file("old")], "new"],
    ["a global pax path", [paxMember([["path", "all"]], "g"), file("old")], "all"],
    ["a local before a global path", [paxMember([["path", "g"]], "g"), paxMember([["path", "x"]]), file("o")], "x"],
    [
      "the header when pax takes a path back",
      [paxMember([["path", "g"]], "g"), paxMember([["path", ""]]), file("o")],
      "o",
    ],
    ["a GNU long name before a pax path", [paxMember([["path", "pax"]]), longNameMember("gnu"), file("o")], "gnu"],
    ["UTF-8", [file("umlaut-äö")], "umlaut-äö"],
    ["Latin-1 as escapes", [{ name: latin1("caf\xe9-\xfc"), content: "c" }], "caf\\xe9-\\xfc"],
    [
      "valid UTF-8 beside invalid bytes",
      [{ name: concatBytes([latin1("\xff"), Buffer.from("é")]), content: "c" }],
      "\\xffé",
    ],
    ["NUL in a pax path as an escape", [paxMember([["path", "a\0b"]]), file("o")], "a\\x00b"],
    ["control characters as they are", [file("a\nb\x1b[31m")], "a\nb\x1b[31m"],
    [
      "unknown pax records",
      [
        paxMember([
          ["comment", "x=y\nz"],
          ["SCHILY.xattr.a", "b"],
        ]),
        file("o"),
      ],
      "o",
    ],
  ];

  it.each(named)("reads %s", (_, members, name) => {
    expect(walk(buildTar(...members))).toMatchObject({ names: [name], contents: { [name]: "c" } });
  });

  const sized: readonly [string, OddMember][] = [
    ["octal with leading spaces", { ...file("f"), ...size("          1 ") }],
    ["octal with leading NULs", { ...file("f"), ...size("\0\0\0\0\0\0\0\0\0\x001\0") }],
    ["twelve digits without an end", { ...file("f"), ...size("000000000001") }],
    ["base 256", { ...file("f"), ...size(new Uint8Array([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])) }],
    ["a signed checksum", { name: "f", content: "c", linkName: latin1("\xff"), checksum: "signed" }],
    ["a signed checksum of 7-bit bytes", { name: "f", content: "c", linkName: latin1("\x7f\xff"), checksum: "signed" }],
  ];

  it.each(sized)("reads %s", (_, member) => {
    expect(walk(buildTar(member, file("after"))).contents).toEqual({ f: "c", after: "c" });
  });

  const kinds: readonly [string, OddMember, Partial<TarEntry>][] = [
    ["a file", { name: "f", content: "abc", mode: 0o4755 }, { kind: "file", sizeBytes: 3, mode: 0o4755 }],
    ["a file of v7", { name: "f", type: "\0", format: "v7" }, { kind: "file" }],
    ["a folder of v7", { name: "d/", type: "\0", format: "v7" }, { kind: "folder" }],
    ["a contiguous file", { name: "f", type: "7", content: "abc" }, { kind: "file", sizeBytes: 3 }],
    ["a hard link", { name: "h", type: "1", linkName: "f" }, { kind: "hard-link", linkName: "f", sizeBytes: 0 }],
    [
      "a hard link that states a size",
      { name: "h", type: "1", linkName: "f", ...size("00000000777\0") },
      { sizeBytes: 0 },
    ],
    ["a symbolic link", { name: "s", type: "2", linkName: "../f" }, { kind: "symbolic-link", linkName: "../f" }],
    ["a device", { name: "c", type: "3" }, { kind: "device" }],
    ["a named pipe", { name: "p", type: "6" }, { kind: "device" }],
    ["a folder", { name: "d/", type: "5" }, { kind: "folder", name: "d/" }],
    ["a GNU incremental folder", { name: "d/", type: "D", content: "Yf\0\0", format: "gnu" }, { kind: "folder" }],
  ];

  it.each(kinds)("knows %s", (_, member, entry) => {
    expect(walk(buildTar(member, file("after.skip"))).entries).toMatchObject([entry, { name: "after.skip" }]);
  });

  it.each(["V", "M", "N", "A", "~"])("steps over a member of type %s with its content", (type) => {
    expect(walk(buildTar({ name: "odd", type, content: "x".repeat(700) }, file("after"))).names).toEqual(["after"]);
  });

  it("takes long link names from K members and pax records", () => {
    const link = { name: "s", type: "2", linkName: "short" };
    const archive = buildTar(longNameMember("k".repeat(200), "K"), link, paxMember([["linkpath", "p"]]), link, link);

    expect(walk(archive).entries.map((entry) => entry.linkName)).toEqual(["k".repeat(200), "p", "short"]);
  });

  it("takes the size from a pax record", () => {
    const member = { ...file("f", "four"), ...size("00000000000\0") };

    expect(walk(buildTar(paxMember([["size", "4"]]), member, file("after"))).contents).toEqual({
      f: "four",
      after: "c",
    });
  });

  it("steps over a member without a name", () => {
    expect(walk(buildTar(file("", "lost"), file("after"))).contents).toEqual({ after: "c" });
  });

  const ends: readonly [string, Uint8Array][] = [
    ["after the last block", buildTarWithoutEnd(file("a"))],
    ["with one zero block", concatBytes([buildTarWithoutEnd(file("a")), new Uint8Array(512)])],
    ["in the middle of a zero block", concatBytes([buildTarWithoutEnd(file("a")), new Uint8Array(512 + 99)])],
    ["with two zero blocks", buildTar(file("a"))],
    ["with another archive behind", concatBytes([buildTar(file("a")), buildTar(file("b"))])],
    ["with garbage behind", concatBytes([buildTar(file("a")), new Uint8Array(777).fill(9)])],
  ];

  it.each(ends)("accepts an archive that ends %s", (_, archive) => {
    expect(walk(archive).contents).toEqual({ a: "c" });
  });

  it("accepts no bytes at all", () => {
    expect(walk(new Uint8Array(0)).names).toEqual([]);
  });

  const bad: readonly [string, Uint8Array, string, RegExp][] = [
    ["a wrong checksum", buildTar({ ...file("a"), checksum: "wrong" }), "malformed_archive", /byte 0.*checksum/],
    [
      "a wrong checksum later",
      buildTar(file("a"), { ...file("b"), checksum: "wrong" }),
      "malformed_archive",
      /byte 1024/,
    ],
    ["text", new Uint8Array(512).fill(0x41), "malformed_archive", /header/],
    [
      "data after one zero block",
      buildTar(file("a"), new Uint8Array(512), file("b")),
      "malformed_archive",
      /single zero/,
    ],
    [
      "a negative size",
      buildTar({ ...file("a"), ...size(new Uint8Array(12).fill(0xff)) }),
      "malformed_archive",
      /size/,
    ],
    [
      "a size beyond all numbers",
      buildTar({ ...file("a"), ...size(new Uint8Array(12).fill(0xbf)) }),
      "malformed_archive",
      /size/,
    ],
    [
      "one more than the largest size that is exact",
      buildTar({ ...file("a.skip"), ...size(new Uint8Array([0x80, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0])) }),
      "malformed_archive",
      /size/,
    ],
    [
      "the largest size that is exact, of which most is missing",
      buildTar({ ...file("a.skip"), ...size(new Uint8Array([0x80, 0, 0, 0, 0, 0x1f, 255, 255, 255, 255, 255, 255])) }),
      "layer_truncated",
      /9007199254739455 more/,
    ],
    ["a size that is not a number", buildTar({ ...file("a"), ...size("9") }), "malformed_archive", /size.*"9/],
    [
      "a pax record that is too long",
      buildTar({ name: "p", type: "x", content: "99 path=a\n" }, file("a")),
      "malformed_archive",
      /record/,
    ],
    [
      "a pax record that is too short",
      buildTar({ name: "p", type: "x", content: "3 path=a\n" }, file("a")),
      "malformed_archive",
      /record/,
    ],
    [
      "a pax record without a length",
      buildTar({ name: "p", type: "x", content: "path=a" }, file("a")),
      "malformed_archive",
      /record/,
    ],
    [
      "a pax record without a key",
      buildTar({ name: "p", type: "x", content: "5 =a\n" }, file("a")),
      "malformed_archive",
      /key/,
    ],
    [
      "a pax record of a length alone",
      buildTar({ name: "p", type: "x", content: "2\n" }, file("a")),
      "malformed_archive",
      /byte 0 whose length is wrong/,
    ],
    [
      "a pax record without a length behind another",
      buildTar({ name: "p", type: "x", content: "9 path=a\nrest" }, file("a")),
      "malformed_archive",
      /byte 9 whose length is wrong/,
    ],
    [
      "a pax size with a blank before it",
      buildTar(paxMember([["size", " 1"]]), file("a")),
      "malformed_archive",
      /" 1"/,
    ],
    [
      "a pax size with a blank behind it",
      buildTar(paxMember([["size", "1 "]]), file("a")),
      "malformed_archive",
      /"1 "/,
    ],
    ["a pax size with an exponent", buildTar(paxMember([["size", "1e0"]]), file("a")), "malformed_archive", /"1e0"/],
    ["a huge pax size", buildTar(paxMember([["size", "9".repeat(20)]]), file("a")), "malformed_archive", /size/],
    [
      "a path that is too long",
      buildTar(longNameMember("p".repeat(5000)), file("a")),
      "malformed_archive",
      /maxPathBytes/,
    ],
    [
      "a huge meta record",
      buildTar({ name: "p", type: "x", ...size("77777777777\0") }),
      "memory_limit",
      /maxMetaBytes/,
    ],
    ["too many entries", buildTar(...Array.from({ length: 9 }, () => file("a"))), "entry_limit", /more than 8/],
    ["a cut header", buildTar(file("a")).slice(0, 100), "layer_truncated", /byte 100.*header/],
    ["cut content", buildTar(file("a", "x".repeat(900))).slice(0, 1000), "layer_truncated", /content/],
    [
      "unwanted content that is cut off",
      buildTar(file("a.skip", "x".repeat(900))).slice(0, 1000),
      "layer_truncated",
      /412 more/,
    ],
    ["cut padding", buildTarWithoutEnd(file("a")).slice(0, 1000), "layer_truncated", /24 more bytes of padding/],
    ["a size of gigabytes", buildTar({ ...file("a"), ...size("77777777777\0") }), "layer_truncated", /content/],
    ["an extended header at the end", buildTarWithoutEnd(paxMember([["path", "p"]])), "layer_truncated", /extended/],
  ];

  it.each(bad)("refuses %s", (_, archive, code, message) => {
    expect(() => walk(archive, { limits: { maxEntries: 8 } })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it("reads what tar-stream writes, whatever the chunks", async () => {
    const pack = tarStream.pack();
    for (let index = 0; index < 40; index++) {
      const name = `${"folder/".repeat(1 + (index % 30))}file-${index}`;
      pack.entry({ name, mode: 0o600 }, "x".repeat(index * 77));
    }
    pack.finalize();
    const archive = await buffer(pack);
    const whole = walk(archive);

    expect(whole.names).toHaveLength(40);
    for (const [index, name] of whole.names.entries()) expect(whole.contents[name]).toBe("x".repeat(index * 77));
    for (const chunkBytes of [1, 7, 511, 512, 513, 4096]) expect(walk(archive, { chunkBytes })).toEqual(whole);
  });
});
