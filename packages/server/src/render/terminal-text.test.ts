import { describe, expect, it } from "vitest";
import { columnsOf, cutTo, padTo } from "./terminal-text.ts";

describe("columnsOf", () => {
  it.each([
    ["abc", 3],
    ["漢字", 4],
    ["é", 1],
    ["e\u0301", 1],
    ["\u001b[1mbold\u001b[22m", 4],
  ])("%j takes %d", (text, expected) => {
    expect(columnsOf(text)).toBe(expected);
  });
});

describe("cutTo and padTo", () => {
  it.each([
    ["abcdef", 4, "abc…"],
    ["abc", 4, "abc"],
    ["漢字漢字", 5, "漢字…"],
  ])("cuts %j to %d columns", (text, columns, expected) => {
    expect(cutTo(text, columns)).toBe(expected);
  });

  it("pads by columns, not by characters", () => {
    expect(padTo("漢", 4)).toBe("漢  ");
  });
});
