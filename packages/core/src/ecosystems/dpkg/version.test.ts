import { describe, expect, it } from "vitest";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.0", { epoch: 0, upstream: "1.0", revision: "" }],
    ["2:1.0-3", { epoch: 2, upstream: "1.0", revision: "3" }],
    ["1.0-rc1-2", { epoch: 0, upstream: "1.0-rc1", revision: "2" }],
    ["1:2:3-4", { epoch: 1, upstream: "2:3", revision: "4" }],
    [" 1.0-1\n", { epoch: 0, upstream: "1.0", revision: "1" }],
    ["2147483647:0", { epoch: 2147483647, upstream: "0", revision: "" }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it.each([
    ["", "upstream"],
    ["a:1", "a number before the colon"],
    ["1.0-", "[epoch:]upstream[-revision]"],
    ["1.0_1", "letters, digits and +-.:~"],
  ])("says what is wrong with %j", (text, expected) => {
    expect(() => parse(text)).toThrow(expected);
  });
});
