import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlobs } from "./globs.ts";
import { stepBudget } from "./patterns.ts";

describe("compileGlobs", () => {
  it.each([
    ["latest", "latest", true],
    ["latest", "latest2", false],
    ["1.*", "1.27", true],
    ["1.*", "1.", true],
    ["1.*", "21.4", false],
    ["*", "", true],
    ["v?", "v1", true],
    ["v?", "v", false],
    ["v?", "v12", false],
    ["v[0-9]", "v7", true],
    ["v[!0-9]", "v7", false],
    ["v[!0-9]", "vx", true],
    ["v[]]", "v]", true],
    ["v[0", "v[0", true],
    ["v[a-]", "v-", true],
    ["V1", "v1", false],
    ["1.x", "1ax", false],
    ["*-alpine", "3.20-alpine-alpine", true],
  ])("%s and %s: %s", (pattern, tag, expected) => {
    expect(compileGlobs([pattern])(tag)).toBe(expected);
  });

  it.each([
    ["v[c-a]", "vb", false],
    ["v[a-cx-zb-d]", "vd", true],
    ["v[a-cx-zb-d]", "ve", false],
    ["v[!a-cx-zb-d]", "ve", true],
    ["v[é-ü]", "vö", true],
    ["*a*b", "xaxbxab", true],
    ["*a*b", "xaxbxa", false],
    ["**", "x", true],
    ["a*[", "ab[", true],
    ["?", "\u{1f600}", true],
  ])("%s and %s: %s", (pattern, tag, expected) => {
    expect(compileGlobs([pattern])(tag)).toBe(expected);
  });

  it("matches what one of several globs matches", () => {
    const isFor = compileGlobs(["v1", "1.*", "[a-c]?"]);

    expect(["v1", "1.2", "b1", "v2", "d1"].map(isFor)).toEqual([true, true, true, false, false]);
  });

  it("agrees with a pattern of the same meaning", () => {
    const part = fc.constantFrom(["*", ".*"], ["?", "."], ["a", "a"], ["b", "b"], ["[ab]", "[ab]"], ["[!a]", "[^a]"]);
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });

    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), text, (parts, tag) => {
        const [glob, pattern] = [0, 1].map((at) => parts.map((each) => each[at]).join(""));
        expect(compileGlobs([glob ?? ""])(tag)).toBe(new RegExp(`^${pattern}$`).test(tag));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes at most as many steps as the glob has characters, for each character of the text", () => {
    let steps = 0;
    const isFor = compileGlobs([`${"*a".repeat(128)}b`], (spent) => {
      steps += spent;
    });

    expect(isFor("a".repeat(128))).toBe(false);
    expect(steps).toBeLessThanOrEqual(257 * 129);
  });

  it("ends when its steps are used up", () => {
    const isFor = compileGlobs(["*a*b"], stepBudget(40, "tags with globs"));

    expect(isFor("a".repeat(20))).toBe(false);
    expect(() => isFor("a".repeat(20))).toThrow(
      "Matching tags with globs takes more than 40 steps: use fewer patterns",
    );
  });

  it("refuses globs that are too long together, but not many names", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `release-${"0".repeat(200)}-${index}`);

    expect(compileGlobs(names)(names[7] ?? "")).toBe(true);
    expect(() => compileGlobs(names.map((name) => `${name}*`))).toThrow(
      "The globs with wildcards have 212890 characters together, more than 10000: use fewer or shorter ones",
    );
  });
});
