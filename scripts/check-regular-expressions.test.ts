import { expect, it } from "vitest";
import { findRegularExpressions } from "./check-regular-expressions.ts";

it.each([
  ["a literal", "export const a: RegExp = /x+$/u;", ["x+$"]],
  [
    "an expression of constants",
    'const n = "\\\\d+";\nconst v = new RegExp(`^${n}\\\\.${n}$`, "i");',
    ["^\\d+\\.\\d+$"],
  ],
  ["an expression of lines", 'const v = new RegExp(["a", "b*"].join(""));', ["ab*"]],
  ["the source of another", "const a = /x/;\nconst b = new RegExp(`^${a.source}`);", ["x", "^x"]],
  ["what only the program knows", "export const f = (given: string) => new RegExp(given);", [undefined]],
  ["no string that looks like one", 'const text = "/x+$/";', []],
])("finds %s", (_what, code, sources) => {
  expect(findRegularExpressions(code).map(({ source }) => source)).toEqual(sources);
});
