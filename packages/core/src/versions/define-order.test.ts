import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { compareText, defineOrder, findVersion, orderOf } from "./define-order.ts";
import { malformedVersion } from "./malformed.ts";

const lengths: VersionScheme<number> = {
  name: "length",
  parse: (text) => {
    if (text === "bad") throw malformedVersion("anything else", text);
    if (text === "defect") throw new TypeError("a defect of the scheme");
    return text.length;
  },
  compare: orderOf,
};

describe("defineOrder", () => {
  const { compare, valid } = defineOrder(lengths);

  it("compares versions in text form", () => {
    expect([compare("a", "bb"), compare("b", "a"), compare("bb", "a")]).toEqual([-1, 0, 1]);
  });

  it("says whether a text is a version", () => {
    expect([valid("a"), valid("bad")]).toEqual([true, false]);
  });
});

describe("compareText", () => {
  it("throws for a malformed version", () => {
    expect(() => compareText(lengths, "a", "bad")).toThrow(ScanError);
  });
});

describe("findVersion", () => {
  it("returns the version or undefined", () => {
    expect([findVersion(lengths, "abc"), findVersion(lengths, "bad")]).toEqual([3, undefined]);
  });

  it("does not hide a defect of the scheme", () => {
    expect(() => findVersion(lengths, "defect")).toThrow(TypeError);
  });
});

describe("malformedVersion", () => {
  it("shows only the beginning of a long text", () => {
    expect(malformedVersion("less", "x".repeat(1000)).message).toBe(`expected less, found "${"x".repeat(100)}…"`);
  });
});
