import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.0", { numbers: ["1", "0"], labels: [] }],
    ["1.2.3.4-RC.1+Meta", { numbers: ["1", "2", "3", "4"], labels: ["rc", "1"] }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("names the text that is no version", () => {
    expect(() => parse("1.0.x")).toThrow('expected a NuGet version, found "1.0.x"');
  });
});
