import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it("splits a version into tokens and closes it with the end token", () => {
    const texts = parse("1.02.3a_git20240101~abc-r4").map(({ text }) => text);

    expect(texts).toEqual(["1", "02", "3", "a", "", "20240101", "abc", "4", ""]);
  });

  it("compares numbers after the first as integers unless they begin with a zero", () => {
    expect(parse("01.02.3").map(({ numeric }) => numeric)).toEqual([true, false, true, false]);
  });

  it("ignores blanks around a version", () => {
    expect(parse(" 1.0-r0\n")).toEqual(parse("1.0-r0"));
  });

  it("names the text that is no version", () => {
    expect(() => parse("6.6.2_x")).toThrow('expected an apk version, found "6.6.2_x"');
  });
});
