import { describe, expect, it } from "vitest";
import { columnsOf, cutTo, padTo, safeText } from "./terminal-text.ts";

describe("safeText", () => {
  it.each([
    ["plain ünïcode 漢", "plain ünïcode 漢"],
    ["a\u001b[31mred", "a\\x1b[31mred"],
    ["a\nb\tc\u0000", "a\\x0ab\\x09c\\x00"],
    ["abc\u202edef", "abc\\u202edef"],
    ["\u009b1m", "\\x9b1m"],
  ])("%j", (text, expected) => {
    expect(safeText(text)).toBe(expected);
  });
});

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
