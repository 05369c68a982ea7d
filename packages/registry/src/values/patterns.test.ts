import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPatternsSize, compilePattern, problemOf, usePatterns } from "./patterns.ts";

const compile = (pattern: string) => compilePattern("tagPattern", pattern);
const atom = fc.constantFrom("a", "b", "1", ".", "-", "\\d", "\\w", "\\.", "[ab]", "[^a1]", "\\x61", "\\p{L}");
const repetition = fc.constantFrom("", "", "*", "+", "?", "+?", "{2}", "{1,}", "{0,2}", "{0,}?");
const plain = fc
  .array(fc.tuple(fc.oneof(atom, fc.constantFrom("(a)", "(?:b1)", "(a.)", "(?:a|1b)")), repetition), { maxLength: 5 })
  .map((parts) => parts.flat().join(""));
const edge = fc.constantFrom("", "", "^", "$", "\\b", "\\B");
const branch = fc.tuple(edge, plain, edge, plain, edge).map((parts) => parts.join(""));
const expression = fc
  .array(branch, { minLength: 1, maxLength: 3 })
  .chain((branches) => fc.constantFrom(branches.join("|"), `(${branches.join("|")})b`, `x(?:${branches.join("|")})?`));

describe("compilePattern", () => {
  it("finds what the language's own expressions find, where both know the syntax", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "-", ".", "x"), maxLength: 9 });

    fc.assert(
      fc.property(expression, text, (pattern, tag) => {
        expect([pattern, tag, compile(pattern)(tag)]).toEqual([pattern, tag, new RegExp(pattern, "u").test(tag)]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    { what: "many repetitions in a row", pattern: `^${"a*".repeat(120)}b` },
    { what: "anything, again and again", pattern: `${".*".repeat(127)}x` },
    { what: "optional letters before as many others", pattern: `^${"a?".repeat(80)}${"a".repeat(90)}b` },
    { what: "a repeated group of optional ones", pattern: `(${"a?".repeat(100)})*x` },
    { what: "a repeated group that repeats", pattern: "^(a+)+$|^(a|a)*x" },
    { what: "a large class, often", pattern: "^[\\p{L}\\p{N}]{450}" },
  ])("is done soon with $what", ({ pattern }) => {
    expect(compile(pattern)(`${"a".repeat(127)}!`)).toBe(false);
  });

  it.each([
    ["(", "missing closing ): `(`"],
    ["(?=a)b", "invalid or unsupported Perl syntax"],
    ["(a)\\1", "invalid escape sequence"],
    ["a{999999999}", "takes 1000000002 steps for each character of a name, more than 500"],
    ["((a{100}){100}){100}", "use smaller counts such as {1,3}"],
    ["((a|b|c|aa|ab|ba){0,30}){0,30}x", "no counted groups within counted groups"],
    ["a{2}{3}", "invalid nested repetition"],
    ["a".repeat(257), "longer than 256 characters"],
  ])("refuses %s", (pattern, reason) => {
    const refused = expect.objectContaining({ code: "invalid_request", message: expect.stringContaining(reason) });
    expect(() => compile(pattern)).toThrow(refused);
  });
});

describe("checkPatternsSize", () => {
  it("adds up the sizes of all patterns", () => {
    const half = "a".repeat(240);

    expect(() => checkPatternsSize("the policies", [half, half, half, half])).not.toThrow();
    expect(() => checkPatternsSize("the policies", [half, half, half, half, half])).toThrow(
      "The patterns of the policies take 1215 steps together for each character of a name, more than 1000",
    );
  });
});

describe("usePatterns", () => {
  const half = "a".repeat(240);

  it.each([
    { stored: ["v1", "((a|b){0,30}){0,30}x"], used: ["used", "unused"] },
    { stored: ["(", "v1"], used: ["unused", "used"] },
    { stored: [half, half, half, half, half, "v"], used: ["used", "used", "used", "used", "unused", "used"] },
  ])("says which of $stored are not used", ({ stored, used }) => {
    expect(usePatterns(stored, { compile: compilePattern }).map(({ kind }) => kind)).toEqual(used);
  });

  it("says why", () => {
    const [large, together] = [
      usePatterns(["a{1000}"], { compile: compilePattern }),
      usePatterns(["a{9}"], { compile: compilePattern, mostSteps: 9 }),
    ];

    expect(problemOf(large[0])).toContain("pattern: takes 1003 steps for each character of a name, more than 500");
    expect(problemOf(together[0])).toContain(
      "pattern: takes 12 steps for each character of a name, together with the patterns before it, more than 9",
    );
  });
});
