import { describe, expect, it } from "vitest";
import { matchesTag } from "./match-tag.ts";

describe("matchesTag", () => {
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
    expect(matchesTag(pattern, tag)).toBe(expected);
  });

  it("is fast for patterns on which backtracking would take exponential time", () => {
    expect(matchesTag(`${"*a".repeat(128)}b`, "a".repeat(128))).toBe(false);
  });
});
