import { describe, expect, it } from "vitest";
import { repositoryFilter } from "./repository-filter.ts";

describe("repositoryFilter", () => {
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
    expect(repositoryFilter(patterns)(name)).toBe(expected);
  });
});
