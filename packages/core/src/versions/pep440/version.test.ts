import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.0", { epoch: "", release: ["1", "0"] }],
    ["1!2.0", { epoch: "1", release: ["2", "0"] }],
    ["1.0-Alpha.2", { epoch: "", release: ["1", "0"], pre: { stage: "a", number: "2" } }],
    ["1.0c", { epoch: "", release: ["1", "0"], pre: { stage: "rc", number: "" } }],
    ["1.0-4", { epoch: "", release: ["1", "0"], post: "4" }],
    ["1.0.rev3.dev1", { epoch: "", release: ["1", "0"], post: "3", dev: "1" }],
    ["v1+Ubuntu-1", { epoch: "", release: ["1"], local: ["ubuntu", "1"] }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("names the text that is no version", () => {
    expect(() => parse("2004d")).toThrow('expected a PEP 440 version, found "2004d"');
  });
});
