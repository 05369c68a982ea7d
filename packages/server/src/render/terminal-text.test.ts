import { describe, expect, it } from "vitest";
import { columnsOf, cutTo, padTo } from "./terminal-text.ts";

describe("columnsOf", () => {
  it.each([
    ["abc", 3],
    ["漢字", 4],
    ["é", 1],
    ["e\u0301", 1],
    ["\u001b[1mbold\u001b[22m", 4],
    ["ｶﾅ", 2],
    ["한글", 4],
    ["\u200b\u0007\u00ad", 0],
    ["\u{1f600}", 2],
    ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", 2],
    ["\u{1f44d}\u{1f3fd}", 2],
    ["\u{1f1e9}\u{1f1ea}", 2],
    ["1\u{fe0f}\u20e3", 2],
    ["\u00a9", 1],
    ["\u00a9\u{fe0f}", 2],
    ["\u231a\u{fe0e}", 1],
    ["\u2026", 1],
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
