import { describe, expect, it } from "vitest";
import { parseOutputs } from "./output-format.ts";

describe("parseOutputs", () => {
  it.each([
    [[], [{ format: "table" }]],
    [["json"], [{ format: "json" }]],
    [
      ["table", "json=a.json"],
      [{ format: "table" }, { format: "json", file: "a.json" }],
    ],
    [["ndjson=a=b"], [{ format: "ndjson", file: "a=b" }]],
  ])("%j", (texts, expected) => {
    expect(parseOutputs(texts)).toEqual(expected);
  });

  it.each([
    [["xml"], "the formats are table, json, ndjson"],
    [["json="], "a file name is missing"],
    [["json", "table"], "json and table would both go to standard output"],
  ])("refuses %j", (texts, message) => {
    expect(() => parseOutputs(texts)).toThrow(message);
  });
});
