import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import type { Advisory } from "../../model/advisory.ts";
import type { Package } from "../../model/package.ts";
import type { Verdict } from "../../plugins/matcher.ts";
import { rpmMatcher } from "./matcher.ts";

function judge(release: string, found: Package, more: Partial<Advisory> & { readonly fixed?: string }): Verdict {
  const { fixed, ...rest } = more;
  const name = rest.packageKind === "SOURCE" ? (found.source ?? found).name : found.name;
  const ranges = [fixed === undefined ? {} : { fixed }];
  return rpmMatcher.judge(sampleRecord(release, found), sampleAdvisory("rhel:8", name, { ranges, ...rest }));
}

const fixedAt = (fixedInVersion: string): Verdict => ({ kind: "affected", fixedInVersion });
const fixed: Verdict = { kind: "not-affected", reason: "fixed" };
const otherModule: Verdict = { kind: "not-affected", reason: "other-module" };
const unknownModule: Verdict = { kind: "undecided", reason: "module-unknown" };

describe("rpmMatcher", () => {
  it.each([
    ["openssl-libs 1:1.1.1k-4.el8", "1:1.1.1k-5.el8_5", fixedAt("1:1.1.1k-5.el8_5")],
    ["openssl-libs 1:1.1.1k-5.el8_5", "1:1.1.1k-5.el8_5", fixed],
    ["openssl-libs 1.1.1k-9.el8", "1:1.0-1", fixedAt("1:1.0-1")], // a missing epoch is 0
    ["openssl-libs 1:1.0-1", "0:9.9-1", fixed],
    ["openssl-libs 1.1.1k-4.el8", undefined, { kind: "affected" }],
    ["bash 5.1.8", "5.1.8-10.el9", { kind: "undecided", reason: "malformed-package-version" }],
    ["bash 5.1.8", "1:5.1.8-10.el9", fixedAt("1:5.1.8-10.el9")],
    ["bash 5.1.8", "5.1.8", fixed],
    ["bash 5.1.7", "5.1.8-10.el9", fixedAt("5.1.8-10.el9")],
    ["bash 5.1.9", "5.1.8-10.el9", fixed],
  ] as const)("judges %s, fixed in %s", (found, version, verdict) => {
    expect(judge("rhel 8.5", samplePackage(found), version === undefined ? {} : { fixed: version })).toEqual(verdict);
  });

  it.each([
    ["bash 5.1.8-6.el9", { lastAffected: "5.1.8" }, { kind: "affected" }],
    ["bash 5.1.8-6.el9", { lastAffected: "0:5.1.8" }, { kind: "affected" }],
    ["bash 5.1.8-6.el9", { lastAffected: "5.1.8-5.el9" }, { kind: "not-affected", reason: "outside-range" }],
    ["bash 1:5.1.8-6.el9", { lastAffected: "5.1.8" }, { kind: "not-affected", reason: "outside-range" }],
    ["bash 5.1.8.1-1.el9", { lastAffected: "5.1.8" }, { kind: "not-affected", reason: "outside-range" }],
    ["bash 5.1.8^20240101-1.el9", { lastAffected: "5.1.8" }, { kind: "not-affected", reason: "outside-range" }],
    ["bash 5.1.8-6.el9", { introduced: "5.1.8", lastAffected: "5.1.8" }, { kind: "affected" }],
    ["bash 5.1.8-6.el9", { introduced: "5.1.8", fixed: "5.2" }, fixedAt("5.2")],
    ["bash 5.1.8-6.el9", { fixed: "5.1.8" }, fixed],
    ["bash 5.1.8~rc1-6.el9", { fixed: "5.1.8" }, fixedAt("5.1.8")],
  ] as const)("judges %s by a bound that may have no release: %j", (found, range, verdict) => {
    expect(judge("rhel 9.4", samplePackage(found), { ranges: [range] })).toEqual(verdict);
  });

  it("judges a source without an epoch by a bound without a release", () => {
    const found = samplePackage("perl-Errno 1.28-419.el8", { from: "perl 5.26.3-419.el8" });
    const verdict = judge("rhel 8.5", found, { packageKind: "SOURCE", ranges: [{ lastAffected: "5.26.3" }] });

    expect(verdict).toEqual({ kind: "affected" });
  });

  it.each([
    [
      "its binary's epoch if the versions are equal",
      "perl 4:5.26.3-419.el8",
      "perl 5.26.3-419.el8",
      "4:5.26.3-419.el8",
      fixed,
    ],
    [
      "its binary's epoch, which is then compared",
      "perl 4:5.26.3-419.el8",
      "perl 5.26.3-419.el8",
      "5:1.0-1",
      fixedAt("5:1.0-1"),
    ],
    [
      "no epoch if the versions differ",
      "perl-Errno 1.28-419.el8",
      "perl 5.26.3-419.el8_4.1",
      "4:5.26.3-419.el8",
      fixed,
    ],
    [
      "no epoch if the versions differ, so that only versions are compared",
      "perl-Errno 1.28-419.el8",
      "perl 5.26.3-418.el8",
      "4:5.26.3-419.el8",
      fixedAt("4:5.26.3-419.el8"),
    ],
    ["its own version, not the binary's", "perl-Pod-Escapes 1:1.04-1", "perl 5.16-9", "5.16-8", fixed],
    ["its own epoch", "a 1.0-1", "b 2:1.0-1", "1:9-1", fixed],
    ["no epoch if the binary has none", "zlib 1.2-1", "zlib 1.2-1", "1:1.0-1", fixedAt("1:1.0-1")],
  ])("gives the source %s", (_, text, from, version, verdict) => {
    expect(judge("rhel 8.5", samplePackage(text, { from }), { packageKind: "SOURCE", fixed: version })).toEqual(
      verdict,
    );
  });

  const modularFix = "1:12.22.3-2.module+el8.4.0";
  it.each([
    ["the same stream", "nodejs:12", "1:12.1-1.module+el8", "nodejs:12", fixedAt(modularFix)],
    ["another stream", "nodejs:10", "1:10.1-1.module+el8", "nodejs:12", otherModule],
    ["no module against a module", undefined, "1:9.6-1.el8", "nodejs:12", otherModule],
    ["an unlabelled build of a module", undefined, "1:9.6-1.module_el8.4.0", "nodejs:12", unknownModule],
    ["an unlabelled build above the fix", undefined, "1:13-1.module_el8.4.0", "nodejs:12", fixed],
    ["an advisory without the name of its module", "nodejs:10", "1:10.1-1.module+el8", undefined, unknownModule],
    ["the same, above the fix", "nodejs:16", "1:16.1-1.module+el8", undefined, fixed],
    ["no module, and an advisory without the name of its module", undefined, "1:9.6-1.el8", undefined, otherModule],
  ])("judges modules: %s", (_, own, version, module, verdict) => {
    const found = samplePackage(`nodejs ${version}`, own === undefined ? {} : { module: own });

    expect(judge("rhel 8.5", found, { fixed: modularFix, module: module || undefined })).toEqual(verdict);
  });

  it("does not apply a plain advisory to a package of a module", () => {
    const found = samplePackage("nodejs 1:10-1.module+el8", { module: "nodejs:10" });

    expect(judge("rhel 8.5", found, { fixed: "1:12-1.el8" })).toEqual(otherModule);
  });

  it.each([
    ["2.34-100.0.1.el9", "2.34-100.0.1.el9_4.2", fixedAt("2.34-100.0.1.el9_4.2")],
    ["2.34-100.0.1.el9", "2:2.34-100.0.1.ksplice1.el9", { kind: "not-affected", reason: "other-flavour" }],
    ["2:2.34-60.0.1.ksplice1.el9", "2:2.34-100.0.1.ksplice1.el9", fixedAt("2:2.34-100.0.1.ksplice1.el9")],
    ["2:2.34-60.0.1.ksplice1.el9", "2.34-100.0.1.el9", { kind: "not-affected", reason: "other-flavour" }],
    ["3.6.16-4.el8", "10:3.6.16-4.0.1.el8_fips", { kind: "not-affected", reason: "other-flavour" }],
    ["10:3.6.16-4.el8_fips", "10:3.6.16-4.0.1.el8_fips", fixedAt("10:3.6.16-4.0.1.el8_fips")],
  ])("distinguishes Oracle's builds: %s, fixed in %s", (version, fix, verdict) => {
    const record = sampleRecord("ol 9.4", `glibc ${version}`);
    const advisory = sampleAdvisory("ol:9", "glibc", { ranges: [{ fixed: fix }] });

    expect(rpmMatcher.judge(record, advisory)).toEqual(verdict);
  });

  it("compares an advisory's architectures with the package's", () => {
    const found = samplePackage("rsyslog 1-1", { arch: "x86_64" });

    expect(judge("rocky 8", found, { arch: { operation: "equals", value: "aarch64" } })).toEqual({
      kind: "not-affected",
      reason: "other-arch",
    });
  });
});
