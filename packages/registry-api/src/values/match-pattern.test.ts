import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "./match-pattern.ts";
import { checkPattern } from "./patterns.ts";

const atoms = [
  "a",
  "b",
  "1",
  ".",
  "-",
  "\\d",
  "\\w",
  "\\.",
  "[ab]",
  "[^a1]",
  "[]",
  "[^]",
  "\\x61",
  "\\u{62}",
  "\\p{L}",
];
const atom = fc.constantFrom(...atoms);
const repetition = fc.constantFrom("", "", "*", "+", "?", "+?", "{2}", "{1,}", "{0,2}", "{0,}?");
const plain = fc
  .array(fc.tuple(fc.oneof(atom, fc.constantFrom("(a)", "(?:b1)", "(a.)")), repetition), { maxLength: 5 })
  .map((parts) => parts.flat().join(""));
const edge = fc.constantFrom("", "", "^", "$", "\\b", "\\B");
const branch = fc.tuple(edge, plain, edge, plain, edge).map((parts) => parts.join(""));
const expression = fc
  .array(branch, { minLength: 1, maxLength: 3 })
  .chain((branches) => fc.constantFrom(branches.join("|"), `(${branches.join("|")})b`, `x(?:${branches.join("|")})?`));

describe("compilePattern", () => {
  it("finds what the language's own expressions find", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "-", ".", "x"), maxLength: 9 });

    fc.assert(
      fc.property(expression, text, (pattern, tag) => {
        expect([pattern, tag, compilePattern(pattern)(tag)]).toEqual([
          pattern,
          tag,
          new RegExp(pattern, "u").test(tag),
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    { what: "many repetitions in a row", pattern: `^${"a*".repeat(120)}b` },
    { what: "anything, again and again", pattern: `${".*".repeat(127)}x` },
    { what: "optional letters before as many others", pattern: `^${"a?".repeat(80)}${"a".repeat(90)}b` },
    { what: "numbers beyond measure", pattern: "a{999999999}b{0,99999999999999999999}x" },
    { what: "a repeated group of optional ones", pattern: `(${"a?".repeat(100)})*x` },
  ])("is done soon with $what", ({ pattern }) => {
    checkPattern("tagPattern", pattern);

    expect(compilePattern(pattern)("a".repeat(128))).toBe(false);
  });
});
