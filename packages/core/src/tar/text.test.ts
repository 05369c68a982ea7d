import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../fixtures/any-character.ts";
import { decodeField, decodeName } from "./text.ts";

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

describe("decodeName", () => {
  const rows: readonly [string, string, string][] = [
    ["ASCII", "etc/os-release", "etc/os-release"],
    ["UTF-8 of two bytes", "\xc3\xa4", "ä"],
    ["UTF-8 of three bytes", "\xe2\x82\xac", "€"],
    ["UTF-8 of four bytes", "\xf0\x9f\x90\xb3", "🐳"],
    ["Latin-1", "caf\xe9", "caf\\xe9"],
    ["UTF-8 of all lengths beside a bad byte", "\xff\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xb3", "\\xffä€🐳"],
    ["a byte order mark", "\xef\xbb\xbfa", "\ufeffa"],
    ["an overlong form", "\xc0\xaf", "\\xc0\\xaf"],
    ["an overlong form of three bytes", "\xe0\x80\xaf", "\\xe0\\x80\\xaf"],
    ["a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"],
    ["more than Unicode has", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"],
    ["a cut character", "a\xe2\x82", "a\\xe2\\x82"],
    ["NUL", "a\0b", "a\\x00b"],
    ["NUL beside a bad byte", "a\0\xff", "a\\x00\\xff"],
  ];

  it.each(rows)("reads %s", (_, bytes, text) => {
    expect(decodeName(latin1(bytes))).toBe(text);
  });

  it("reads whatever is UTF-8, bad bytes behind it or not", () => {
    const names = fc.string({ unit: anyCharacter }).filter((name) => !name.includes("\0"));
    fc.assert(
      fc.property(names, (name) => {
        const bytes = new TextEncoder().encode(name);
        expect(decodeName(bytes)).toBe(name);
        expect(decodeName(new Uint8Array([...bytes, 0xff]))).toBe(`${name}\\xff`);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("reads a megabyte of bad bytes in no time", () => {
    expect(decodeName(new Uint8Array(1024 ** 2).fill(0xff))).toHaveLength(4 * 1024 ** 2);
  });
});

describe("decodeField", () => {
  it("ends at the first NUL or with the field", () => {
    expect(decodeField(latin1("abc\0def"), 0, 7)).toBe("abc");
    expect(decodeField(latin1("abcdef"), 1, 3)).toBe("bcd");
    expect(decodeField(latin1("abc"), 1, 0)).toBe("");
  });
});
