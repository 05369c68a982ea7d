import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../language/fixtures/index-layers.ts";
import { type PhpValue, parseSerializedPhp } from "./detector.ts";

const text = (value: string) => `s:${value.length}:"${value}";`;
const array = (members: Readonly<Record<string, string>>) =>
  `a:${Object.keys(members).length}:{${Object.entries(members)
    .map(([key, value]) => text(key) + value)
    .join("")}}`;

const redis = array({
  name: text("redis"),
  channel: text("pecl.php.net"),
  version: array({ release: text("5.3.7"), api: text("5.3.0") }),
  filelist: array({ "redis.so": array({ role: text("ext") }) }),
});
const tar = array({ package: text("Archive_Tar"), version: text("1.4.14"), stable: "b:1;" });

describe("pearDetector", () => {
  it.each([
    ["an extension", "usr/local/lib/php/.registry/.channel.pecl.php.net/redis.reg", redis, "pecl.php.net/redis 5.3.7"],
    ["a package in the old form", "usr/share/php/.registry/archive_tar.reg", tar, "pear.php.net/Archive_Tar 1.4.14"],
    ["no version", "a/.registry/b.reg", array({ name: text("b") }), "pear.php.net/b "],
  ])("finds %s", async (_, path, content, expected) => {
    const report = await indexLayers([[fileOf(path, content)]]);

    expect(listPackages(report)).toEqual([`${expected} (pear) ${path}`]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["nothing", "", "expected more bytes"],
    ["no array", text("a"), "expected the name of a PEAR package"],
    ["no name", "a:0:{}", "expected the name of a PEAR package"],
    ["more than a record", "a".repeat(17 * 1024 ** 2), "at most 16777216 bytes"],
  ])("makes a problem of %s", async (_, content, message) => {
    expect(listProblems(await indexLayers([[fileOf("a/.registry/b.reg", content)]]))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it.each(["a/.registry/.channel.a/.alias/b.reg", "etc/b.reg"])("ignores %s", async (path) => {
    expect(listProblems(await indexLayers([[fileOf(path, "")]]))).toEqual([]);
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseSerializedPhp(bytes(text));

/** Serializes a value as PHP does. */
function serialize(value: PhpValue): string {
  if (typeof value === "string") return `s:${bytes(value).length}:"${value}";`;
  return `a:${value.size}:{${[...value].map(([key, member]) => serialize(key) + serialize(member)).join("")}}`;
}

describe("parseSerializedPhp", () => {
  it.each([
    ['s:4:"a";b";', 'a";b'],
    ['s:2:"é";', "é"],
    ["i:-7;", "-7"],
    ["d:0.5;", "0.5"],
    ["b:1;", "1"],
    ["N;", ""],
  ])("reads %s", (text, value) => {
    expect(parse(text)).toBe(value);
  });

  it("reads arrays by their keys", () => {
    expect(parse('a:2:{i:0;s:1:"x";s:1:"k";a:0:{}}')).toEqual(
      new Map<string, PhpValue>([
        ["0", "x"],
        ["k", new Map()],
      ]),
    );
  });

  it("reads every serialized value", () => {
    const { value } = fc.letrec<{ value: PhpValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: "grapheme" }),
        fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 4 }).map((pairs) => new Map(pairs)),
      ),
    }));
    fc.assert(
      fc.property(value, (each) => {
        expect(parse(serialize(each))).toEqual(each);
      }),
    );
  });

  it.each([
    ["", "more bytes"],
    ["s:1:a", '"\\""'],
    ['s:9:"a";', "a length within the file"],
    ['s:-1:"a";', "a length within the file"],
    ["a:99999999999:{}", "a length within the file"],
    ["a:1:{a:0:{}i:1;}", "a key"],
    ['O:8:"stdClass":0:{}', "a string, a number or an array"],
    ["a:1:{i:0;".repeat(1000), "at most 100 nested arrays"],
    [`i:${"1".repeat(100)};`, "a short number"],
  ])("refuses %j", (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
  });

  it("reads any bytes or throws ScanError", () => {
    const pieces = fc.array(fc.constantFrom("a:", "s:", "i:", "1", "2:", "{", "}", '"', ";", "N;", "x"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          parse(parts.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
    );
  });
});
