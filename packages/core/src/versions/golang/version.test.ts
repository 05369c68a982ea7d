import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["v1.2.3", { numbers: ["1", "2", "3"], prerelease: [] }],
    ["1.2.3-rc.1+incompatible+dirty", { numbers: ["1", "2", "3"], prerelease: ["rc", "1"] }],
    ["v1", { numbers: ["1"], prerelease: [] }],
    ["go1.21rc2", { numbers: ["1", "21"], prerelease: ["rc", "2"] }],
    ["go1.21.3-custom", { numbers: ["1", "21", "3"], prerelease: [] }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("names the text that is no version", () => {
    expect(() => parse("(devel)")).toThrow('expected a Go module version or toolchain name, found "(devel)"');
  });
});
