import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.2", ["1", "2", "0", "0", ""]],
    ["2010-01-02", ["2010", "01", "02", ""]],
    ["1.0-RC2", ["1", "0", "0", "0", "", "2", ""]],
    ["1.x-dev", ["1", "9999999", "9999999", "9999999", "", ""]],
    ["dev-Feature/x", ["Feature/x", ""]],
  ])("splits %j into tokens and closes it with the end token", (text, texts) => {
    expect(parse(text).map((token) => token.text)).toEqual(texts);
  });

  it("ignores stability flag, alias and build", () => {
    expect(parse("1.0.0+build@dev as 2.0")).toEqual(parse("1.0.0"));
  });

  it("names the text that is no version", () => {
    expect(() => parse("1.0-foo")).toThrow('expected a Composer version, found "1.0-foo"');
  });
});
