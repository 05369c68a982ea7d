import { describe, expect, it } from "vitest";
import { pageNumber } from "./page-buttons.tsx";

describe("pageNumber", () => {
  it.each([
    ["3", 3],
    ["9999999", 9_999_999],
    ["", 1],
    ["0", 1],
    ["-1", 1],
    ["1e9", 1],
    ["2x", 1],
    ["99999999999999999999", 1],
  ])("of %j is %d", (text, number) => {
    expect(pageNumber(text)).toBe(number);
  });
});
