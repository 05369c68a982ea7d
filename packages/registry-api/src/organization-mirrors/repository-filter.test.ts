import { describe, expect, it } from "vitest";
import { isMirrored } from "./repository-filter.ts";

describe("isMirrored", () => {
  it.each([
    [["*"], "a/b", true],
    [["library/*"], "library/debian", true],
    [["library/*"], "other/debian", false],
    [["library/*", "!library/tmp-*"], "library/tmp-1", false],
    [["!library/tmp-*", "library/*"], "library/tmp-1", false],
    [["library/*", "!library/tmp-*"], "library/debian", true],
    [["!a"], "b", false],
    [[], "a", false],
    [["de?ian", "alpine"], "debian", true],
    [["debian"], "debian-slim", false],
    [[`${"*a".repeat(100)}b`], "a".repeat(200), false],
  ])("%j of %s: %s", (patterns, name, expected) => {
    expect(isMirrored(patterns, name)).toBe(expected);
  });
});
