import { describe, expect, it } from "vitest";
import { compareVersionRelease } from "./compare-version-release.ts";
import { parse } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.0", { epoch: 0, version: "1.0" }],
    ["1.0-1.el9", { epoch: 0, version: "1.0", release: "1.el9" }],
    ["4:5.26.3-419.el8_4.1", { epoch: 4, version: "5.26.3", release: "419.el8_4.1" }],
    ["1-2-3", { epoch: 0, version: "1-2", release: "3" }],
    ["1.0-", { epoch: 0, version: "1.0", release: "" }],
    [":1.0", { epoch: 0, version: "1.0" }],
    ["a:1", { epoch: 0, version: "a:1" }],
    [" 1.0-1\n", { epoch: 0, version: "1.0", release: "1" }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it.each([
    ["", "[epoch:]version[-release]"],
    ["1:-1", "[epoch:]version[-release]"],
    ["1.0 1", "[epoch:]version[-release]"],
    ["4294967296:1", "32 bits"],
  ])("says what is wrong with %j", (text, expected) => {
    expect(() => parse(text)).toThrow(expected);
  });
});

describe("compareVersionRelease", () => {
  it.each([
    ["4:5.26.3-419.el8", "5.26.3-419.el8", 0],
    ["4:5.26.3-419.el8", "5.26.3-419.el8_4.1", -1],
    ["1.0-2", "9:1.0-1", 1],
    ["1.0", "1.0-1", -1],
  ])("ignores the epochs of %s and %s", (a, b, order) => {
    expect(compareVersionRelease(parse(a), parse(b))).toBe(order);
  });
});
