import { describe, expect, it } from "vitest";
import { csvOf } from "./save-file.ts";

describe("csvOf", () => {
  it.each([
    ["a plain text", "app", `"app"`],
    ["a comma and quotes", 'a, "b"', `"a, ""b"""`],
    ["a line break inside", "a\r\nb", `"a\r\nb"`],
    ["a formula", "=1+1", `"'=1+1"`],
    ["what is taken for one", "@SUM(A1)", `"'@SUM(A1)"`],
    ["a formula in wide letters", "＝1", `"'＝1"`],
    ["a formula after a tab", "\t=1", `"'\t=1"`],
    ["a number below zero", "-1", `"'-1"`],
  ])("writes %s", (_, text, written) => {
    expect(csvOf([["x", text]])).toBe(`"x",${written}\r\n`);
  });
});
