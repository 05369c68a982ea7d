import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { recordTrace } from "../../match/match-records.ts";
import { distributionPackageKey, thirdPartyKey } from "../../model/package.ts";
import { debianMatcher, ubuntuMatcher } from "./matcher.ts";

const expat = samplePackage("libexpat1 2.5.0-1+b1", { from: "expat 2.5.0-1", arch: "amd64" });
const record = sampleRecord("debian 12", expat);
const source = { packageKind: "SOURCE" } as const;

describe("debianMatcher", () => {
  it("looks up the binary and its source, once if they have the same name", () => {
    expect(debianMatcher.keys(record)).toEqual([
      { ecosystem: "debian:12", name: "libexpat1" },
      { ecosystem: "debian:12", name: "expat" },
    ]);
    expect(debianMatcher.keys(sampleRecord("debian 12", samplePackage("bash 5.2", { from: "bash 5.2" })))).toEqual([
      { ecosystem: "debian:12", name: "bash" },
    ]);
  });

  it("does not accept a language's package whose file the distribution owns", () => {
    const owner = { id: "1", name: "rake", key: distributionPackageKey };
    const gem = sampleRecord("debian 10", samplePackage("rake 12.3.1"), [{ id: "2", name: "rubygems" }, owner]);

    expect(debianMatcher.accepts(gem)).toBe(false);
  });

  it.each([
    ["debian 12", true],
    ["ubuntu 22.04", false],
    ["raspbian 12", false],
  ])("accepts packages of %s: %s", (release, accepts) => {
    expect(debianMatcher.accepts(sampleRecord(release, expat))).toBe(accepts);
  });

  it.each([
    [
      "below the fix",
      { ranges: [{ fixed: "2.5.0-1+deb12u1" }] },
      { kind: "affected", fixedInVersion: "2.5.0-1+deb12u1" },
    ],
    [
      "the source's version, not the binary's",
      { ranges: [{ fixed: "2.5.0-1" }] },
      { kind: "not-affected", reason: "fixed" },
    ],
    ["above the fix", { ranges: [{ fixed: "2.4.9-1" }] }, { kind: "not-affected", reason: "fixed" }],
    ["an epoch in the fix", { ranges: [{ fixed: "1:1.0-1" }] }, { kind: "affected", fixedInVersion: "1:1.0-1" }],
    ["no fix", { ranges: [{}] }, { kind: "affected" }],
    [
      "not yet introduced",
      { ranges: [{ introduced: "2.6", fixed: "2.7" }] },
      { kind: "not-affected", reason: "outside-range" },
    ],
    [
      "between two ranges",
      { ranges: [{ fixed: "1.0" }, { introduced: "2.6", fixed: "2.7" }] },
      { kind: "not-affected", reason: "fixed" },
    ],
    [
      "in the second range",
      { ranges: [{ fixed: "1.0" }, { introduced: "2.5.0-1", fixed: "2.7" }] },
      { kind: "affected", fixedInVersion: "2.7" },
    ],
    ["last affected", { ranges: [{ lastAffected: "2.5.0-1" }] }, { kind: "affected" }],
    ["no range", { ranges: [] }, { kind: "not-affected", reason: "outside-range" }],
    ["a listed version", { ranges: [], versions: ["2.5.0-1"] }, { kind: "affected" }],
    ["vendor: not affected", { status: "not-affected" }, { kind: "not-affected", reason: "vendor-statement" }],
    ["vendor: undetermined", { status: "undetermined" }, { kind: "undecided", reason: "vendor-undetermined" }],
    [
      "a malformed fix",
      { ranges: [{ fixed: "no version" }] },
      { kind: "undecided", reason: "malformed-advisory-version" },
    ],
    ["the other kind", { packageKind: "BINARY" }, { kind: "not-affected", reason: "other-kind" }],
    ["another arch", { arch: { operation: "equals", value: "arm64" } }, { kind: "not-affected", reason: "other-arch" }],
  ] as const)("judges %s", (_, more, verdict) => {
    expect(debianMatcher.judge(record, sampleAdvisory("debian:12", "expat", { ...source, ...more }))).toEqual(verdict);
  });

  it("compares an advisory about the binary with the binary's version", () => {
    const advisory = sampleAdvisory("debian:12", "libexpat1", { ranges: [{ fixed: "2.5.0-1+b1" }] });

    expect(debianMatcher.judge(record, advisory)).toEqual({ kind: "not-affected", reason: "fixed" });
  });

  it.each([
    ["a malformed version", "expat one:2", "malformed-package-version"],
    ["no version", "expat", "version-unknown"],
  ])("is undecided for %s", (_, text, reason) => {
    const advisory = sampleAdvisory("debian:12", "expat", { ranges: [{ fixed: "2" }] });

    expect(debianMatcher.judge(sampleRecord("debian 12", text), advisory)).toEqual({ kind: "undecided", reason });
  });

  it("does not apply the distribution's advisories to third-party packages", () => {
    const nginx = sampleRecord("debian 12", "nginx 1.0", [{ id: "1", name: "nginx", key: thirdPartyKey }]);

    expect(debianMatcher.judge(nginx, sampleAdvisory("debian:12", "nginx"))).toEqual({
      kind: "undecided",
      reason: "third-party-package",
    });
  });

  it.each([
    [{ ranges: [{ fixed: "2.6" }] }, "versions", "2.5.0-1 is in all versions below 2.6: affected, fixed in 2.6"],
    [{}, "versions", "2.5.0-1 is in all versions: affected, no fix is known"],
    [{ ranges: [{ fixed: "2.4" }] }, "fixed", "2.5.0-1 is not below 2.4, which has the fix"],
    [
      { ranges: [{ introduced: "2.6", lastAffected: "2.7" }] },
      "outside-range",
      "2.5.0-1 is not in all versions from 2.6 up to 2.7",
    ],
    [{ packageKind: "BINARY" }, "other-kind", "the advisory is about the binary expat, the binary here is libexpat1"],
  ] as const)("says why: %j", (more, rule, detail) => {
    const trace = recordTrace();

    debianMatcher.judge(record, sampleAdvisory("debian:12", "expat", { ...source, ...more }), trace);

    expect(trace.steps).toEqual([{ rule, detail }]);
  });
});

describe("ubuntuMatcher", () => {
  it("judges packages of Ubuntu releases", () => {
    const record = sampleRecord("ubuntu 22.04", expat);
    const [key] = ubuntuMatcher.keys(record);

    expect(key?.ecosystem).toBe("ubuntu:22.04");
    expect(ubuntuMatcher.judge(record, sampleAdvisory("ubuntu:22.04", "expat", source))).toEqual({ kind: "affected" });
  });
});
