import fc from "fast-check";
import semver from "semver";
import { describe, expect, it } from "vitest";
import { compare, parse, valid } from "./version.ts";

describe("parse", () => {
  it.each([
    ["1.2.3", { major: 1, minor: 2, patch: 3, prerelease: [] }],
    [" = v1.2.3-rc.1+build ", { major: 1, minor: 2, patch: 3, prerelease: ["rc", "1"] }],
    ["1.2.3beta", { major: 1, minor: 2, patch: 3, prerelease: ["beta"] }],
  ])("reads %j", (text, version) => {
    expect(parse(text)).toEqual(version);
  });

  it("names the text that is no version", () => {
    expect(() => parse("latest")).toThrow('expected a semantic version, found "latest"');
  });
});

describe("compare", () => {
  it("agrees with the semver package", () => {
    const number = fc.nat({ max: 11 }).map(String);
    const identifier = fc.oneof(number, fc.constantFrom("a", "B", "rc", "1a", "-", "alpha", "01"));
    const version = fc
      .tuple(number, number, number, fc.array(identifier, { maxLength: 3 }))
      .map(([major, minor, patch, labels]) =>
        [`${major}.${minor}.${patch}`, labels.join(".")].filter(Boolean).join("-"),
      )
      .filter(valid);

    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compare(a, b)).toBe(semver.compare(a, b, { loose: true }));
      }),
      { seed: 20240601, numRuns: 200 },
    );
  });
});
