import { describe, expect, it } from "vitest";
import { dpkgVersions } from "../ecosystems/dpkg/version.ts";
import type { AdvisoryRange } from "../model/advisory.ts";
import { semverVersions } from "../versions/semver/version.ts";
import { compareText, findRange, isUnpatched, maxVersion, settledRanges, sortVersions } from "./range.ts";

describe("compareText", () => {
  it("compares versions as they are written", () => {
    expect(compareText(dpkgVersions, "1.0~rc1", "1.0")).toBe(-1);
  });
});

describe("sortVersions", () => {
  it("sorts ascending and keeps equal versions in the given order", () => {
    const versions = ["1.10", "1.9-0", "1.9", "1.0~rc1", "1.0"];

    expect(sortVersions(dpkgVersions, versions)).toEqual(["1.0~rc1", "1.0", "1.9-0", "1.9", "1.10"]);
  });

  it("throws for a malformed version", () => {
    expect(() => sortVersions(dpkgVersions, ["1.0", "a:1"])).toThrow(
      expect.objectContaining({ code: "malformed_version" }),
    );
  });
});

describe("maxVersion", () => {
  it("answers the first of the highest versions", () => {
    expect(maxVersion(dpkgVersions, ["1.9", "1.10-0", "1.10", "1.2"])).toBe("1.10-0");
  });

  it("answers undefined of none", () => {
    expect(maxVersion(dpkgVersions, [])).toBeUndefined();
  });
});

describe("findRange", () => {
  const find = (installed: string, ranges: readonly AdvisoryRange[], versions: readonly string[] = []) =>
    findRange(semverVersions, installed, { ranges, versions });

  it.each<[string, AdvisoryRange, boolean]>([
    ["1.0.0", { introduced: "1.0.0", fixed: "2.0.0" }, true],
    ["1.9.9", { introduced: "1.0.0", fixed: "2.0.0" }, true],
    ["2.0.0", { introduced: "1.0.0", fixed: "2.0.0" }, false],
    ["2.0.0-rc.1", { introduced: "1.0.0", fixed: "2.0.0" }, true],
    ["1.0.0-rc.1", { introduced: "1.0.0", fixed: "2.0.0" }, false],
    ["2.0.0", { introduced: "1.0.0", lastAffected: "2.0.0" }, true],
    ["2.0.1", { introduced: "1.0.0", lastAffected: "2.0.0" }, false],
    ["2.0.0", { lastAffected: "2.0.0" }, true],
    ["2.0.1", { lastAffected: "2.0.0" }, false],
    ["2.0.1", { introduced: "0", lastAffected: "2.0.0" }, false],
    ["0.0.0-alpha", { introduced: "0", fixed: "1.0.0" }, true],
    ["0.0.0-alpha", { fixed: "1.0.0" }, true],
    ["9.0.0", { introduced: "1.0.0" }, true],
    ["9.0.0", {}, true],
    ["1.0.0", { introduced: "1.0.0", fixed: "1.0.0" }, false],
    ["1.5.0", { introduced: "2.0.0", fixed: "1.0.0" }, false],
    ["1.5.0", { fixed: "2.0.0", lastAffected: "1.0.0" }, false],
  ])("decides whether %s is in %j: %s", (installed, range, inside) => {
    expect(find(installed, [range])).toEqual(inside ? { kind: "in-range", range } : { kind: "outside" });
  });

  it("answers the range that contains the version", () => {
    const ranges = [
      { introduced: "1.0.0", fixed: "1.0.5" },
      { introduced: "2.0.0", fixed: "2.0.5" },
    ];

    expect(find("2.0.1", ranges)).toEqual({ kind: "in-range", range: ranges[1] });
    expect(find("1.0.5", ranges)).toEqual({ kind: "outside" });
  });

  it("contains a version that one range ends at and the next begins with", () => {
    const ranges = [{ fixed: "1.0.0" }, { introduced: "1.0.0", fixed: "2.0.0" }];

    expect(find("1.0.0", ranges)).toEqual({ kind: "in-range", range: ranges[1] });
  });

  it("contains nothing without ranges and versions", () => {
    expect(find("1.0.0", [])).toEqual({ kind: "outside" });
    expect(find("garbage", [])).toEqual({ kind: "outside" });
  });

  it("finds a listed version that is equal in the scheme", () => {
    expect(find("v1.0.0", [{ fixed: "0.5.0" }], ["0.9.0", "1.0.0+build"])).toEqual({
      kind: "listed",
      version: "1.0.0+build",
    });
  });

  it("finds a listed version that is equal as text where it is malformed", () => {
    expect(find("2004d", [], ["2004d"])).toEqual({ kind: "listed", version: "2004d" });
  });

  it("passes over malformed listed versions", () => {
    expect(find("1.0.0", [], ["garbage", "1.0.0"])).toEqual({ kind: "listed", version: "1.0.0" });
    expect(find("1.0.1", [], ["garbage", "1.0.0"])).toEqual({ kind: "outside" });
  });

  it.each<[readonly AdvisoryRange[], readonly string[]]>([
    [[{ fixed: "1.0.0" }], []],
    [[], ["1.0.0"]],
    [[{ introduced: "1.0.0" }], ["1.0.0"]],
  ])("cannot tell of a malformed installed version and %j, %j", (ranges, versions) => {
    expect(find("garbage", ranges, versions)).toEqual({ kind: "malformed-installed" });
  });

  it.each<AdvisoryRange>([{}, { introduced: "0" }])("contains even a malformed installed version in %j", (range) => {
    expect(find("garbage", [{ fixed: "1.0.0" }, range])).toEqual({ kind: "in-range", range });
  });

  it("is undecided where a malformed bound decides", () => {
    expect(find("1.0.0", [{ introduced: "0.5.0", fixed: "next" }])).toEqual({ kind: "malformed-bound", bound: "next" });
    expect(find("1.0.0", [{ introduced: "first" }])).toEqual({ kind: "malformed-bound", bound: "first" });
    expect(find("1.0.0", [{ lastAffected: "last" }])).toEqual({ kind: "malformed-bound", bound: "last" });
  });

  it("does not need a malformed bound where the other bound excludes the version", () => {
    expect(find("1.0.0", [{ introduced: "2.0.0", fixed: "next" }])).toEqual({ kind: "outside" });
    expect(find("1.0.0", [{ introduced: "first", fixed: "1.0.0" }])).toEqual({ kind: "outside" });
    expect(find("1.0.0", [{ introduced: "2.0.0", lastAffected: "last" }])).toEqual({ kind: "outside" });
    expect(find("1.0.0", [{ introduced: "first", lastAffected: "0.9.0" }])).toEqual({ kind: "outside" });
  });

  it("is not kept by a malformed range from the range or the listed version that speaks of it", () => {
    const malformed = { introduced: "first", fixed: "next" };
    const range = { fixed: "2.0.0" };

    expect(find("1.0.0", [malformed, range])).toEqual({ kind: "in-range", range });
    expect(find("1.0.0", [malformed], ["1.0.0"])).toEqual({ kind: "listed", version: "1.0.0" });
  });

  it("names the first malformed bound of several ranges", () => {
    const ranges = [{ fixed: "0.5.0" }, { introduced: "first" }, { introduced: "second" }];

    expect(find("1.0.0", ranges)).toEqual({ kind: "malformed-bound", bound: "first" });
    expect(find("1.0.0", ranges, ["0.9.0"])).toEqual({ kind: "malformed-bound", bound: "first" });
  });
});

describe("isUnpatched", () => {
  it.each<[readonly AdvisoryRange[], boolean]>([
    [[], false],
    [[{}], true],
    [[{ introduced: "0" }], true],
    [[{ introduced: "1.0.0" }], false],
    [[{ lastAffected: "1.0.0" }], false],
    [[{ introduced: "0", lastAffected: "1.0.0" }], false],
    [[{ fixed: "1.0.0" }], false],
    [[{ introduced: "1.0.0" }, {}], true],
    [[{}, { lastAffected: "1.0.0" }], true],
    [[{}, { fixed: "1.0.0" }], false],
    [[{ introduced: "1.0.0", fixed: "2.0.0" }, { introduced: "0" }], false],
  ])("says of %j: %s", (ranges, unpatched) => {
    expect(isUnpatched(ranges)).toBe(unpatched);
  });
});

describe("settledRanges", () => {
  it.each<[readonly AdvisoryRange[], readonly AdvisoryRange[]]>([
    [[], []],
    [[{}], [{}]],
    [
      [{}, {}],
      [{}, {}],
    ],
    [[{ fixed: "1.0.0" }, {}], [{ fixed: "1.0.0" }]],
    [
      [{ introduced: "0" }, { fixed: "1.0.0" }, { lastAffected: "2.0.0" }],
      [{ fixed: "1.0.0" }, { lastAffected: "2.0.0" }],
    ],
    [
      [{}, { lastAffected: "2.0.0" }],
      [{}, { lastAffected: "2.0.0" }],
    ],
    [
      [{ fixed: "1.0.0" }, { introduced: "2.0.0" }],
      [{ fixed: "1.0.0" }, { introduced: "2.0.0" }],
    ],
  ])("of %j are %j", (ranges, settled) => {
    expect(settledRanges(ranges)).toEqual(settled);
  });

  it.each<readonly AdvisoryRange[][]>([
    [[]],
    [[{ fixed: "1.0.0" }]],
    [[{ fixed: "1.0.0" }, { introduced: "2.0.0" }]],
    [[{}, { lastAffected: "2.0.0" }]],
  ])("of %j are the same array: none is beaten", (ranges) => {
    expect(settledRanges(ranges)).toBe(ranges);
  });
});
