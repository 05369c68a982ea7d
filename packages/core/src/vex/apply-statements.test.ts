import { describe, expect, it, vi } from "vitest";
import { sampleDistribution, samplePackage } from "../match/fixtures/samples.ts";
import type { Vulnerability, VulnerabilityReport } from "../match/report.ts";
import { languageKey } from "../model/package.ts";
import { vulnerabilityReport } from "../wire/fixtures/reports.ts";
import { applyStatements, applyStatementsInSlices } from "./apply-statements.ts";
import { productOf } from "./product.ts";
import type { VexStatement } from "./statement.ts";

const now = Date.UTC(2026, 10, 24);
const digest = `sha256:${"1".repeat(64)}`;
const context = { digests: [digest], reference: "registry.example:5000/team/app:1.2", now };

function vulnerability(id: string, name: string, aliases: readonly string[] = []): Vulnerability {
  const about = { id: `vulnerability-${id}`, name: "a", version: "", kind: "BINARY" } as const;
  return { id, updater: "osv", name, aliases, links: [], normalizedSeverity: "High", package: about };
}

/** Package 1 of npm with findings 1 and 2, package 2 of Debian with finding 1, package 3 in two places with finding 3. */
const report: VulnerabilityReport = {
  ...vulnerabilityReport,
  packages: {
    "1": samplePackage("a 1.0"),
    "2": samplePackage("libssl3 3.0.11-1", { id: "2", arch: "amd64", from: "openssl 3.0.11-1" }),
    "3": samplePackage("b 2.0", { id: "3" }),
  },
  distributions: { "1": sampleDistribution("debian 12") },
  repositories: { "1": { id: "1", name: "npm", key: languageKey }, "2": { id: "2", name: "pypi", key: languageKey } },
  environments: {
    "1": [environment("a/package.json", ["1"])],
    "2": [{ ...environment("var/lib/dpkg/status", []), distributionId: "1" }],
    "3": [environment("b/package.json", ["1"]), environment("b/METADATA", ["2"])],
  },
  vulnerabilities: {
    "1": vulnerability("1", "GHSA-1", ["CVE-2024-0001"]),
    "2": vulnerability("2", "RHSA-2", ["CVE-2024-0002", "CVE-2024-0003"]),
    "3": vulnerability("3", "CVE-2024-0004"),
  },
  packageVulnerabilities: { "1": ["1", "2"], "2": ["1"], "3": ["3"] },
  suppressed: [],
};

function environment(packageDb: string, repositoryIds: readonly string[]) {
  return { packageDb, introducedIn: vulnerabilityReport.manifestDigest, repositoryIds };
}

function statement(name: string, more: Partial<VexStatement> = {}): VexStatement {
  return { vulnerability: [name], status: "not_affected", products: [{}], place: name, ...more };
}

/** The remaining findings, the suppressed ones, and the places of unused and expired statements. */
function apply(...statements: readonly VexStatement[]) {
  const { report: left, unused, expired } = applyStatements(report, statements, context);
  return {
    left: left.packageVulnerabilities,
    suppressed: left.suppressed.map(
      ({ packageId, vulnerabilityId, place }) => `${packageId}/${vulnerabilityId} ${place}`,
    ),
    unused: unused.map(({ place }) => place),
    expired: expired.map(({ place }) => place),
  };
}

describe("applyStatements", () => {
  it.each<[string, VexStatement, string[]]>([
    ["by its name", statement("GHSA-1"), ["1/1 GHSA-1", "2/1 GHSA-1"]],
    ["by an alias, in any case", statement("cve-2024-0001"), ["1/1 cve-2024-0001", "2/1 cve-2024-0001"]],
    ["not by one of several CVE ids of an advisory", statement("CVE-2024-0002"), []],
    ["by the name of an advisory with several CVE ids", statement("RHSA-2"), ["1/2 RHSA-2"]],
    ["of one package", statement("GHSA-1", { products: [{ component: "pkg:npm/a" }] }), ["1/1 GHSA-1"]],
    [
      "of a package that is named as the product",
      statement("GHSA-1", { products: [{ image: "pkg:deb/debian/libssl3" }] }),
      ["2/1 GHSA-1"],
    ],
    [
      "in all places of a package",
      statement("CVE-2024-0004", { products: [{ component: "pkg:npm/b" }, { component: "pkg:pypi/b" }] }),
      ["3/3 CVE-2024-0004"],
    ],
    [
      "not if the statement covers only one place of two",
      statement("CVE-2024-0004", { products: [{ component: "pkg:npm/b" }] }),
      [],
    ],
    ["that is fixed", statement("CVE-2024-0004", { status: "fixed" }), ["3/3 CVE-2024-0004"]],
    ["not without products", statement("CVE-2024-0004", { products: [] }), []],
    ["before the statement expires", statement("CVE-2024-0004", { expiresAt: now + 1 }), ["3/3 CVE-2024-0004"]],
  ])("suppresses a finding %s", (_, given, suppressed) => {
    const found = apply(given);

    expect(found.suppressed).toEqual(suppressed);
    expect(found.unused).toEqual(suppressed.length === 0 ? [given.place] : []);
  });

  it("does not change other findings, the vulnerabilities and the given report", () => {
    const { report: left } = applyStatements(report, [statement("GHSA-1")], context);

    expect(left.packageVulnerabilities).toEqual({ "1": ["2"], "3": ["3"] });
    expect(left.vulnerabilities).toBe(report.vulnerabilities);
    expect(report.packageVulnerabilities["1"]).toEqual(["1", "2"]);
  });

  it("says who suppressed a finding, and why", () => {
    const why = { justification: "component_not_present", detail: "Left out.", author: "A", expiresAt: now + 1 };

    const { report: left } = applyStatements(report, [statement("CVE-2024-0004", why)], context);

    expect(left.suppressed).toEqual([
      { packageId: "3", vulnerabilityId: "3", status: "not_affected", place: "CVE-2024-0004", ...why },
    ]);
  });

  it.each<[string, VexStatement[], number]>([
    [
      "the latest of them",
      [statement("GHSA-1", { statedAt: 2 }), statement("GHSA-1", { status: "affected", statedAt: 1 })],
      2,
    ],
    [
      "the latest, whatever its status",
      [statement("GHSA-1", { statedAt: 1 }), statement("GHSA-1", { status: "affected", statedAt: 2 })],
      0,
    ],
    [
      "the last given of those with the same date",
      [statement("GHSA-1", { status: "affected" }), statement("GHSA-1")],
      2,
    ],
    [
      "a dated one rather than one without a date",
      [statement("GHSA-1", { status: "under_investigation", statedAt: 1 }), statement("GHSA-1")],
      0,
    ],
  ])("applies %s", (_, statements, suppressed) => {
    expect(apply(...statements).suppressed).toHaveLength(suppressed);
  });

  it("lists expired statements, and statements that apply to no finding", () => {
    const found = apply(
      statement("GHSA-1", { expiresAt: now }),
      statement("CVE-1999-0001"),
      statement("CVE-1999-0002", { status: "affected" }),
    );

    expect(found).toEqual({
      left: report.packageVulnerabilities,
      suppressed: [],
      unused: ["CVE-1999-0001"],
      expired: ["GHSA-1"],
    });
  });
});

describe("findings in packages of the kernel", () => {
  const headers = samplePackage("linux-libc-dev 6.1.90-1", { id: "2", arch: "amd64", from: "linux 6.1.90-1" });
  const image = { ...report, packages: { ...report.packages, "2": headers } };
  const taken = (kernel: "set-aside" | undefined, ...statements: readonly VexStatement[]) =>
    applyStatements(image, statements, { ...context, kernel });

  it("are set aside, with the reason", () => {
    const { report: left, unused } = taken("set-aside");

    expect(left.packageVulnerabilities).toEqual({ "1": ["1", "2"], "3": ["3"] });
    expect(left.suppressed).toMatchObject([
      { packageId: "2", vulnerabilityId: "1", status: "not_affected", justification: "vulnerable_code_not_present" },
    ]);
    expect(unused).toEqual([]);
  });

  it("remain if the option is not set, or a user states that they affect the image", () => {
    const matters = statement("CVE-2024-0001", { status: "affected" });

    expect([taken(undefined), taken("set-aside", matters)].map(({ report: left }) => left.suppressed)).toEqual([
      [],
      [],
    ]);
  });
});

describe("productOf", () => {
  it.each([
    [digest, true],
    [`pkg:oci/other@${digest}`, true],
    [`pkg:oci/app@sha256:${"2".repeat(64)}`, false],
    ["pkg:oci/app", true],
    ["pkg:oci/app?tag=1.2", true],
    ["pkg:oci/app?tag=1.3", false],
    ["pkg:docker/team/app@1.2", true],
    ["pkg:oci/other", false],
    ["pkg:oci/app?repository_url=registry.example:5000/team/app", true],
    ["pkg:oci/app?repository_url=registry.example:5000/other/app", false],
    ["registry.example:5000/team/app:1.2", true],
    ["registry.example:5000/team/app", true],
    ["registry.example:5000/team", false],
    ["", false],
    ["pkg:oci/%", false],
  ])("recognizes %s as the image: %s", (image, expected) => {
    expect(productOf(context)({ image }, undefined)).toBe(expected);
    expect(productOf(context)({ image, component: "pkg:npm/a" }, "pkg:npm/a@1")).toBe(expected);
    expect(productOf(context)({ image, component: "pkg:npm/a" }, "pkg:npm/b@1")).toBe(false);
  });
});

describe("productOf, for a package", () => {
  const isProduct = productOf({ digests: [] });

  it.each<[versions: string, purl: string, expected: boolean]>([
    ["vers:npm/>=4.17.1", "pkg:npm/lodash@4.17.0", false],
    ["vers:npm/>=4.17.1", "pkg:npm/lodash@4.17.10", true],
    ["vers:npm/>=1|<2|>=4|<4.17.1", "pkg:npm/lodash@3.0.0", false],
    ["vers:npm/>=1|<2|>=4|<4.17.1", "pkg:npm/lodash@4.17.0", true],
    ["vers:npm/!=4.17.0", "pkg:npm/lodash@4.17.0", false],
    ["vers:npm/*", "pkg:npm/lodash@4.17.0", true],
    ["vers:none/*", "pkg:npm/lodash@4.17.0", false],
    ["<4.17.1", "pkg:npm/lodash@4.17.0", true],
    ["before 5", "pkg:npm/lodash@4.17.0", false],
    ["vers:semver/<x", "pkg:npm/lodash@4.17.0", false],
    ["2.5.1", "pkg:pypi/torch@2.5.1%2Bcu121", true],
    ["vers:rpm/>=1.0-1", "pkg:rpm/fedora/a@2.0-1", true],
    ["vers:rpm/<1:1.0-1", "pkg:rpm/fedora/a@2.0-1", true],
    ["vers:rpm/<1:1.0-1", "pkg:rpm/fedora/a@2.0-1?epoch=1", false],
    ["vers:deb/<1%3A1.0-1", "pkg:deb/debian/a@2.0-1", true],
    ["vers:x/<1", "pkg:unknown/a@0.5", false],
    [`vers:npm/${"<9|".repeat(100)}<9`, "pkg:npm/lodash@4.17.0", false],
  ])("takes as the versions %s: %s is among them: %s", (versions, purl, expected) => {
    const component = purl.split("@")[0] ?? "";

    expect(productOf(context)({ component, versions: { component: [versions] } }, purl)).toBe(expected);
    expect(productOf(context)({ image: component, versions: { image: [versions] } }, purl)).toBe(expected);
  });

  it.each([
    ["vers:semver/<1.3", true],
    ["1.2", true],
    ["1.3", false],
  ])("takes the tag of an image as its version, which is among %s: %s", (versions, expected) => {
    expect(productOf(context)({ image: "pkg:oci/app", versions: { image: [versions] } }, undefined)).toBe(expected);
  });

  it.each([
    ["pkg:npm/a", "pkg:npm/a@1", true],
    ["pkg:npm/a@1", "pkg:npm/a@1", true],
    ["pkg:npm/a@2", "pkg:npm/a@1", false],
    ["pkg:npm/%40s/a", "pkg:npm/a@1", false],
    ["pkg:pypi/Zope_Interface", "pkg:pypi/zope-interface@5", true],
    ["pkg:pypi/torch@2.5.1", "pkg:pypi/torch@2.5.1%2Bcu121", true],
    ["pkg:pypi/torch@2.5.1.0", "pkg:pypi/torch@2.5.1", true],
    ["pkg:pypi/torch@2.5.1%2Bcu121", "pkg:pypi/torch@2.5.1", false],
    ["pkg:pypi/torch@2.5", "pkg:pypi/torch@2.5.1%2Bcu121", false],
    ["pkg:pypi/torch@latest", "pkg:pypi/torch@2.5.1", false],
    ["pkg:npm/torch@2.5.1", "pkg:npm/torch@2.5.1%2Bcu121", false],
    ["pkg:deb/debian/a?arch=amd64", "pkg:deb/debian/a@1?arch=amd64&distro=debian-12", true],
    ["pkg:deb/debian/a?arch=arm64", "pkg:deb/debian/a@1?arch=amd64&distro=debian-12", false],
    ["a", "pkg:npm/a@1", false],
    ["pkg:%", "pkg:npm/a@1", false],
  ])("of %s, %s: %s", (pattern, purl, expected) => {
    expect(isProduct({ component: pattern }, purl)).toBe(expected);
  });
});

describe("applyStatementsInSlices", () => {
  const statements = [statement("GHSA-1"), statement("CVE-2024-0004", { status: "fixed" })];

  it("gives what applyStatements gives, and yields", async () => {
    const yieldToOthers = vi.fn();
    const many = [...statements, ...Array.from({ length: 30_000 }, (_, at) => statement(`CVE-2020-${at}`))];

    const stated = await applyStatementsInSlices(report, many, { ...context, yieldToOthers });

    expect(stated).toEqual(applyStatements(report, many, context));
    expect(yieldToOthers).toHaveBeenCalledTimes(4); // once for each finding
  });

  it("ends with an error where more products than allowed are compared", async () => {
    const products = Array.from({ length: 100 }, (_, at) => ({ component: `pkg:npm/a${at}` }));
    const slices = { ...context, yieldToOthers: () => undefined };
    const costly = [statement("CVE-2024-0004", { products })];

    await expect(applyStatementsInSlices(report, costly, { ...slices, mostComparisons: 99 })).rejects.toMatchObject({
      code: "vex_too_costly",
    });
    await expect(applyStatementsInSlices(report, costly, { ...slices, mostComparisons: 101 })).resolves.toBeDefined();
  });
});
