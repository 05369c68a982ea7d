import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { sizeOfPattern } from "./patterns.ts";

const atom = fc.constantFrom(
  ...["a", "-", ".", "\\d", "\\.", "[ab]", "[^a1]", "[]a]", "[[:alpha:]_]", "[(){3}|]", "[\\]*]", "\\x61", "\\x{61}"],
  ...[
    "\\p{L}",
    "\\PN",
    "\\b",
    "^",
    "$",
    "\\Qa{3}\\E",
    "\\\\Q",
    "\\E",
    "{",
    "{,3}",
    "\\(",
    "\\{",
    "(?i)",
    "(?i:k)",
    "ſ",
    "\u{10ffff}",
  ],
);
const repetition = fc.constantFrom(
  "",
  "",
  "*",
  "+",
  "?",
  "+?",
  "{2}",
  "{1,}",
  "{0,2}",
  "{0,}?",
  "{7,9}",
  "{0}",
  "{0,0}",
);
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof({ depthSize: "small", withCrossShrink: true }, atom, group(tie("pattern") as fc.Arbitrary<string>)),
  pattern: fc
    .array(fc.tuple(tie("part") as fc.Arbitrary<string>, repetition, fc.constantFrom("", "", "", "|")), {
      maxLength: 6,
    })
    .map((parts) => parts.flat().join("")),
}));

function group(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom("(", "(?:", "(?i:", "(?s-m:"), inner).map(([begin, text]) => `${begin}${text})`);
}

/** The size of the program that the library makes; undefined for a text that is no expression. */
function compiledSize(text: string): number | undefined {
  try {
    return RE2JS.compile(text).programSize();
  } catch {
    return undefined;
  }
}

describe("sizeOfPattern", () => {
  it("is never below the size of the program", () => {
    fc.assert(
      fc.property(pattern, (text) => {
        fc.pre(sizeOfPattern(text) < 50_000);
        const size = compiledSize(text) ?? 0;
        expect([text, size, Math.max(size, sizeOfPattern(text))]).toEqual([text, size, sizeOfPattern(text)]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    { text: "^v[0-9]+\\.[0-9]+$", atMost: 20 },
    { text: "sha-[0-9a-f]{40}", atMost: 50 },
    { text: "(alpha|beta|rc)[.-]?[0-9]{1,3}", atMost: 40 },
    { text: "[[:alpha:]]+-\\p{Greek}{2,4}", atMost: 25 },
    { text: "v[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}", atMost: 40 },
  ])("is close to it for $text", ({ text, atMost }) => {
    expect(sizeOfPattern(text)).toBeLessThanOrEqual(atMost);
  });

  it.each([
    { text: "((a|b|c|aa|ab|ba){0,30}){0,30}x", atLeast: 9000 },
    { text: "[a-z]{1000}", atLeast: 1000 },
    { text: `(${"ab|".repeat(60)}c){0,1000}`, atLeast: 180_000 },
    { text: `(?i)${"[a-\u{10ffff}]".repeat(10)}`, atLeast: 1000 },
    { text: `(?s-i:x)(?i)${"[a-\\x{10ffff}]".repeat(10)}`, atLeast: 1000 },
  ])("is large for $text", ({ text, atLeast }) => {
    expect(sizeOfPattern(text)).toBeGreaterThanOrEqual(atLeast);
  });
});
