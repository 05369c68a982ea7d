import { describe, expect, it } from "vitest";
import { sampleAdvisory, samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { recordTrace } from "../../match/match-records.ts";
import { contentSetKey, cpeRepositoryKey, dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import { rpmMatcher } from "./matcher.ts";
import { minorStreamScope } from "./product-scope.ts";

const contentSet = (name: string): PackageRepository => ({ id: name, name, key: contentSetKey });
const fromDnf = (name: string): PackageRepository => ({ id: name, name, key: dnfRepositoryKey });
const product = (cpe: string): PackageRepository => ({ id: cpe, cpe, key: cpeRepositoryKey });

const baseos = contentSet("rhel-8-for-x86_64-baseos-rpms");
const appstream = contentSet("rhel-8-for-x86_64-appstream-rpms");
const eus = contentSet("rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_6");
const layered = contentSet("rhocp-4.12-for-rhel-8-x86_64-rpms");

function judge(repositories: readonly PackageRepository[], cpes: readonly string[], release = "rhel 8.6") {
  const advisory = sampleAdvisory("rhel:8", "curl", { ranges: [{ fixed: "2-1" }], cpes });
  const verdict = rpmMatcher.judge(sampleRecord(release, samplePackage("curl 1-1"), repositories), advisory);
  return verdict.kind === "not-affected" ? verdict.reason : verdict.kind;
}

describe("productScopes", () => {
  it.each<[string, readonly PackageRepository[], string, string]>([
    ["the same product", [baseos], "cpe:/o:redhat:enterprise_linux:8::baseos", "affected"],
    ["another part of the release", [baseos], "cpe:/a:redhat:enterprise_linux:8::appstream", "other-product"],
    ["one of several", [baseos, appstream], "cpe:/a:redhat:enterprise_linux:8::appstream", "affected"],
    ["the release as a whole", [appstream], "cpe:/o:redhat:enterprise_linux:8", "affected"],
    ["the release as a whole, for a stream of it", [eus], "cpe:/o:redhat:enterprise_linux:8", "affected"],
    ["another release", [baseos], "cpe:/o:redhat:enterprise_linux:9::baseos", "other-product"],
    ["the stream of the same minor release", [eus], "cpe:/o:redhat:rhel_eus:8.6::baseos", "affected"],
    ["the stream of another", [eus], "cpe:/o:redhat:rhel_eus:8.4::baseos", "other-product"],
    [
      "the plain release, which subscribers of a stream do not get",
      [eus],
      "cpe:/o:redhat:enterprise_linux:8::baseos",
      "other-product",
    ],
    ["a stream, which others do not get", [baseos], "cpe:/o:redhat:rhel_eus:8.6::baseos", "other-product"],
    ["a wildcard", [product("cpe:/a:redhat:openshift:4.14::el9")], "cpe:/a:redhat:openshift:4.%02", "affected"],
    ["any release of a product", [product("cpe:/a:redhat:openshift:4.14::el9")], "cpe:/a:redhat:openshift", "affected"],
    [
      "the beginning of a version",
      [product("cpe:/a:redhat:openshift:4.14::el9")],
      "cpe:/a:redhat:openshift:4",
      "affected",
    ],
    [
      "a version that only has the same beginning of a number",
      [product("cpe:/a:redhat:openshift:4.14")],
      "cpe:/a:redhat:openshift:4.1",
      "other-product",
    ],
    ["a malformed name", [baseos], "redhat", "other-product"],
    [
      "the repository of the package, not other repositories of the image",
      [fromDnf(baseos.name ?? ""), appstream],
      "cpe:/a:redhat:enterprise_linux:8::appstream",
      "other-product",
    ],
    [
      "the repositories of the image if that of the package is unknown",
      [fromDnf("odcs-1234"), appstream],
      "cpe:/a:redhat:enterprise_linux:8::appstream",
      "affected",
    ],
    [
      "the default repositories if no repository is known",
      [layered],
      "cpe:/a:redhat:enterprise_linux:8::appstream",
      "affected",
    ],
    ["the default repositories of an image without any", [], "cpe:/o:redhat:enterprise_linux:8::baseos", "affected"],
    ["no stream for an image without repositories", [], "cpe:/o:redhat:rhel_eus:8.6::baseos", "other-product"],
    [
      "a product in the form of Clair's reports",
      [product("cpe:2.3:o:redhat:enterprise_linux:8:*:baseos:*:*:*:*:*")],
      "cpe:/o:redhat:enterprise_linux:8::baseos",
      "affected",
    ],
  ])("compares with %s", (_, repositories, cpe, expected) => {
    expect(judge(repositories, [cpe])).toBe(expected);
  });

  it("treats CentOS as the release that it rebuilds", () => {
    expect(judge([], ["cpe:/o:redhat:enterprise_linux:7::server"], "centos 7")).toBe("affected");
  });

  it("looks up advisories of the release and of products without a release", () => {
    const keys = rpmMatcher.keys(sampleRecord("rhel 8.6", samplePackage("curl-minimal 1-1", { from: "curl 1-1" })));

    expect(keys).toEqual([
      { ecosystem: "rhel:8", name: "curl-minimal" },
      { ecosystem: "rhel:8", name: "curl" },
      { ecosystem: "rhel", name: "curl-minimal" },
      { ecosystem: "rhel", name: "curl" },
    ]);
  });

  it("names the products in the trace", () => {
    const trace = recordTrace();
    const advisory = sampleAdvisory("rhel:8", "curl", { cpes: ["cpe:/a:redhat:storage:3"] });
    rpmMatcher.judge(sampleRecord("rhel 8.6", samplePackage("curl 1-1"), [baseos]), advisory, trace);

    expect(trace.steps.at(-1)).toEqual({
      rule: "other-product",
      detail:
        "the advisory is about cpe:/a:redhat:storage:3, the package is of cpe:/o:redhat:enterprise_linux:8::baseos, cpe:/o:redhat:enterprise_linux:8",
    });
  });
});

describe("a fix for a minor release", () => {
  const ranges = [{ fixed: "7.76.1-23.el9_2.4" }, { fixed: "7.76.1-26.el9_3.2" }];

  it.each([
    ["7.76.1-23.el9_2.3", "affected"],
    ["7.76.1-23.el9_2.4", "fixed"],
    ["7.76.1-23.el9_2.9", "fixed"],
    ["7.76.1-26.el9_3.1", "affected"],
    ["7.76.1-26.el9_3.2", "fixed"],
    ["7.76.1-24.el9", "affected"],
    ["7.76.1-27.el9", "fixed"],
  ])("%s is %s", (version, expected) => {
    const cpes = ["cpe:/o:redhat:enterprise_linux:9::baseos"];
    const advisory = sampleAdvisory("rhel:9", "libcurl", { ranges, cpes });
    const verdict = rpmMatcher.judge(sampleRecord("rhel 9.2", samplePackage(`libcurl ${version}`)), advisory);

    expect(verdict.kind === "not-affected" ? verdict.reason : verdict.kind).toBe(expected);
  });
});

describe("minorStreamScope", () => {
  it.each([
    ["1.2-3.el8_6.2", ["1.2-3.el8_6.1", "1.2-9.el8"], "other"],
    ["1.2-3.el8_6.1", ["1.2-3.el8_6.1", "1.2-3.el8_6.4", "1.2-9.el8"], "same"],
    ["1.2-3.el8_6.4", ["1.2-3.el8_6.4", "1.2-3.el8_6.1", "1.2-9.el8"], "other"],
    ["1.2-3.el8_4.9", ["1.2-3.el8_6.1", "1.2-9.el8"], "same"],
    ["1.2-8.el8", ["1.2-3.el8_6.1", "1.2-9.el8"], "same"],
  ])("of %s and fixes %j: %s", (version, fixes, kind) => {
    const advisory = sampleAdvisory("rhel:8", "a", { ranges: fixes.map((fixed) => ({ fixed })) });

    expect(minorStreamScope(version, advisory).kind).toBe(kind);
  });
});
