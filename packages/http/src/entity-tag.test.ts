import { describe, expect, it } from "vitest";
import { noneMatchNames } from "./entity-tag.ts";

describe("noneMatchNames", () => {
  it.each([
    [undefined, false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ["*", true],
    ['"ab"', false],
    ["abc", false],
    ["", false],
  ])("of %j is %s", (header, expected) => {
    expect(noneMatchNames(header, "abc")).toBe(expected);
  });
});
