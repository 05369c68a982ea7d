import { describe, expect, it } from "vitest";
import { safeText } from "./safe-text.ts";

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
