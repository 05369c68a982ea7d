import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.2.b1", { segments: ["1", "2", "b", "1"], canonical: ["1", "2", "b", "1"] }],
    ["1.0.a.0", { segments: ["1", "0", "a", "0"], canonical: ["1", "a"] }],
    ["1-1", { segments: ["1", "pre", "1"], canonical: ["1", "pre", "1"] }],
    ["", { segments: ["0"], canonical: [] }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("names the text that is no version", () => {
    expect(() => parse("junk")).toThrow('expected a gem version, found "junk"');
  });
});
