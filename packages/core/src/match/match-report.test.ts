import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { dpkg } from "../ecosystems/dpkg/index.ts";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import { python } from "../ecosystems/python/index.ts";
import { ratingsType } from "../enrichers/enrichment-types.ts";
import type { Advisory } from "../model/advisory.ts";
import { distributionPackageKey, languageKey } from "../model/package.ts";
import type { Enricher } from "../plugins/enricher.ts";
import { advisorySourceOf } from "./advisory-source-of.ts";
import {
  sampleAdvisory,
  sampleDigest,
  sampleDistribution,
  sampleIndexReport,
  samplePackage,
} from "./fixtures/samples.ts";
import { matchReport, otherStatements } from "./match-report.ts";

const debian = sampleDistribution("debian 12");
const indexReport = sampleIndexReport(debian, [
  samplePackage("libexpat1 2.5", { id: "1", from: "expat 2.5" }),
  samplePackage("expat 2.5", { id: "2", from: "expat 2.5" }),
  samplePackage("bash 5.2", { id: "3", from: "bash 5.2" }),
]);
const engine = { matchers: [debianMatcher], enrichers: [] };

function advisory(packageName: string, name: string, more: Partial<Advisory> = {}): Advisory {
  return sampleAdvisory("debian:12", packageName, { name, updater: "debian", packageKind: "SOURCE", ...more });
}

const advisories = [
  advisory("expat", "CVE-2024-0002", { ranges: [{ fixed: "2.6" }], normalizedSeverity: "Low", severity: "low" }),
  advisory("expat", "CVE-2024-0001", { normalizedSeverity: "Low", description: "A flaw", issuedAt: 1 }),
  advisory("expat", "CVE-2024-0003", { normalizedSeverity: "Critical" }),
  advisory("expat", "CVE-2024-0004", { status: "undetermined" }),
  advisory("bash", "CVE-2024-0005", { ranges: [{ fixed: "5.1" }] }),
];

describe("matchReport", () => {
  it("numbers vulnerabilities by their names and lists the worst first, of equal ones those with a fix", async () => {
    const report = await matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories) });

    expect(Object.values(report.vulnerabilities).map(({ id, name }) => [id, name])).toEqual([
      ["1", "CVE-2024-0001"],
      ["2", "CVE-2024-0002"],
      ["3", "CVE-2024-0003"],
    ]);
    expect(report.packageVulnerabilities).toEqual({ "1": ["3", "2", "1"], "2": ["3", "2", "1"] });
  });

  it("is the same whatever the order of the advisories", async () => {
    const [report, reversed] = await Promise.all(
      [advisories, advisories.toReversed()].map((given) =>
        matchReport(engine, indexReport, { advisories: advisorySourceOf(given) }),
      ),
    );

    expect(JSON.stringify(reversed)).toBe(JSON.stringify(report));
  });

  it("shows a vulnerability with the range it was found by", async () => {
    const { vulnerabilities } = await matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories) });

    expect(vulnerabilities["2"]).toEqual({
      id: "2",
      updater: "debian",
      name: "CVE-2024-0002",
      aliases: [],
      links: [],
      severity: "low",
      normalizedSeverity: "Low",
      package: { id: "vulnerability-2", name: "expat", version: "", kind: "SOURCE" },
      distribution: debian,
      fixedInVersion: "2.6",
      range: { upper: "2.6" },
    });
    expect(vulnerabilities["1"]).toMatchObject({ description: "A flaw", issuedAt: 1 });
    expect(vulnerabilities["1"]?.range).toBeUndefined();
  });

  it("gives what vulnerabilities speak of ids that no package of the image has", async () => {
    const { packages, vulnerabilities } = await matchReport(engine, indexReport, {
      advisories: advisorySourceOf(advisories),
    });

    const all = [...Object.values(packages), ...Object.values(vulnerabilities).map((each) => each.package)];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it("is partial if the distribution did not make a package, which no advisory judges", async () => {
    const coverage = { ...indexReport.coverage, status: "complete", thirdPartyPackages: 1 } as const;
    const decided = advisories.filter(({ status }) => status !== "undetermined");
    const options = { advisories: advisorySourceOf(decided) };

    const { coverage: found } = await matchReport(engine, { ...indexReport, coverage }, options);

    expect(found).toEqual({ ...coverage, status: "partial" });
  });

  it("keeps the index report's maps and lists what is undecided", async () => {
    const report = await matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories) });

    expect(report).toMatchObject({ packages: indexReport.packages, environments: indexReport.environments });
    expect(report.undecided).toEqual([
      { packageId: "1", name: "CVE-2024-0004", reason: "vendor-undetermined" },
      { packageId: "2", name: "CVE-2024-0004", reason: "vendor-undetermined" },
    ]);
    expect(report.coverage).toMatchObject({
      status: "partial",
      undecided: [{ fact: "statement", packageIds: ["1", "2"] }],
    });
  });

  it.each([
    [advisories, true],
    [[], false],
  ])("says whether a feed covers the release", async (given, covered) => {
    const report = await matchReport(engine, indexReport, { advisories: advisorySourceOf(given) });

    expect(report.feeds).toEqual([{ ecosystem: "debian:12", covered }]);
  });

  it.each([
    ["by the distribution's advisories alone", [], []],
    ["by the language's where no feed covers the distribution", ["debian:12"], ["CVE-2024-0009"]],
  ])("judges a language's package that the distribution brought %s", async (_, uncovered, found) => {
    const pypi = { id: "1", name: "pypi", key: languageKey };
    const owner = { id: "2", name: "expat", key: distributionPackageKey };
    const [layer] = Object.values(indexReport.environments).flat();
    const environment = {
      packageDb: "a",
      introducedIn: layer?.introducedIn ?? sampleDigest("a"),
      distributionId: debian.id,
      repositoryIds: ["1", "2"],
    };
    const withPython = {
      ...indexReport,
      packages: { ...indexReport.packages, "9": samplePackage("pyexpat 1.0", { id: "9" }) },
      repositories: { "1": pypi, "2": owner },
      environments: { ...indexReport.environments, "9": [environment] },
    };
    const source = advisorySourceOf([
      ...advisories.filter(({ ecosystem }) => !uncovered.includes(ecosystem)),
      sampleAdvisory("PyPI", "pyexpat", { name: "CVE-2024-0009" }),
    ]);

    const report = await matchReport(createEngine({ ecosystems: [dpkg, python] }), withPython, { advisories: source });

    const names = (report.packageVulnerabilities["9"] ?? []).map((id) => report.vulnerabilities[id]?.name);
    expect(names).toEqual(found);
  });

  it("is partial when a matcher failed", async () => {
    const broken = { ...debianMatcher, name: "broken", keys: () => failing() };

    const report = await matchReport({ ...engine, matchers: [broken] }, indexReport, {
      advisories: advisorySourceOf(advisories),
    });

    expect(report.coverage.status).toBe("partial");
    expect(report.coverage.problems).toHaveLength(3);
  });

  it("adds the facts of enrichers by vulnerability id", async () => {
    const epss: Enricher = {
      name: "epss",
      type: "epss facts",
      updater: { name: "epss", location: "", update: async () => ({ kind: "unchanged" }) },
      tags: ({ name }) => [name],
      enrich: (_, records) => records.map(({ record }) => record),
    };
    const again: Enricher = { ...epss, name: "again", tags: ({ name }) => (name === "CVE-2024-0002" ? [name] : []) };
    const broken: Enricher = { ...epss, name: "broken", type: "broken", enrich: failing };
    const untagged: Enricher = { ...epss, name: "untagged", type: "untagged", tags: failing };
    const source = {
      findEnrichments: async (_: string, tags: readonly string[]) =>
        tags.filter((tag) => tag !== "CVE-2024-0001").map((tag) => ({ tags: [tag], record: { about: tag } })),
    };

    const report = await matchReport({ ...engine, enrichers: [epss, again, broken, untagged] }, indexReport, {
      advisories: advisorySourceOf(advisories),
      enrichments: source,
    });

    expect(report.enrichments).toEqual({
      "epss facts": [
        { "2": [{ about: "CVE-2024-0002" }, { about: "CVE-2024-0002" }], "3": [{ about: "CVE-2024-0003" }] },
      ],
    });
    expect(report.coverage.problems).toEqual([
      { at: "broken", code: "enricher_failed", message: "on purpose" },
      { at: "untagged", code: "enricher_failed", message: "on purpose" },
    ]);
  });

  it("finds facts by the names that only another advisory knows", async () => {
    const facts: Enricher = {
      name: "kev",
      type: "kev",
      updater: { name: "kev", location: "", update: async () => ({ kind: "unchanged" }) },
      tags: ({ aliases }) => aliases,
      enrich: (_, records) => records.map(({ record }) => record),
    };
    const given = [
      advisory("expat", "GHSA-1", { ranges: [{ fixed: "2.6" }] }),
      advisory("expat", "X-1", { aliases: ["CVE-2024-0001", "GHSA-1"], ranges: [{}] }),
    ];

    const report = await matchReport({ ...engine, enrichers: [facts] }, indexReport, {
      advisories: advisorySourceOf(given),
      enrichments: { findEnrichments: async (_: string, tags: readonly string[]) => [{ tags, record: [...tags] }] },
    });

    expect(report.vulnerabilities).toMatchObject({ "1": { name: "GHSA-1", aliases: ["CVE-2024-0001", "X-1"] } });
    expect(report.enrichments).toEqual({ kev: [{ "1": [["CVE-2024-0001", "X-1"]] }] });
  });

  it("has a problem for each enricher that fails on repositories or ends of life, and all findings", async () => {
    const enricher: Enricher = {
      name: "",
      type: "facts",
      updater: { name: "", location: "", update: async () => ({ kind: "unchanged" }) },
      tags: () => [],
      enrich: () => undefined,
    };
    const lifecycles = {
      distributionTags: () => ["debian"],
      endOfDistribution: () => undefined,
      packageTags: () => ["expat"],
      endOfPackage: () => undefined,
    };
    const enrichers: Enricher[] = [
      { ...enricher, name: "tagOf", repositories: { tagOf: failing, complete: () => [] } },
      { ...enricher, name: "complete", repositories: { tagOf: ({ name }) => name, complete: failing } },
      { ...enricher, name: "distributionTags", lifecycles: { ...lifecycles, distributionTags: failing } },
      { ...enricher, name: "packageTags", lifecycles: { ...lifecycles, packageTags: failing } },
      { ...enricher, name: "endOfDistribution", lifecycles: { ...lifecycles, endOfDistribution: failing } },
      { ...enricher, name: "endOfPackage", lifecycles: { ...lifecycles, endOfPackage: failing } },
    ];
    const from = { id: "1", name: "main" };
    const environments = Object.entries(indexReport.environments).map(([id, seen]) => [
      id,
      seen.map((environment) => ({ ...environment, repositoryIds: [from.id] })),
    ]);
    const image = { ...indexReport, repositories: { 1: from }, environments: Object.fromEntries(environments) };

    const report = await matchReport({ ...engine, enrichers }, image, {
      advisories: advisorySourceOf(advisories),
      enrichments: { findEnrichments: async (_: string, tags: readonly string[]) => [{ tags, record: {} }] },
    });

    expect(report.coverage.problems).toEqual(
      enrichers.map(({ name }) => ({ at: name, code: "enricher_failed", message: "on purpose" })),
    );
    expect(report.endsOfLife).toMatchObject([{ day: "2028-06-30" }]);
    expect(Object.keys(report.vulnerabilities)).toHaveLength(3);
  });

  it("shows the severity of another source where the advisory has none, and keeps all", async () => {
    const nvd = {
      by: "nvd",
      source: "nvd@nist.gov",
      name: "CVE-2024-0001",
      severity: "Critical",
      text: "AV:N",
      score: 9,
    };
    const ratings: Enricher = {
      name: "ratings",
      type: ratingsType,
      updater: { name: "nvd", location: "", update: async () => ({ kind: "unchanged" }) },
      tags: ({ name }) => [name],
      enrich: () => [nvd],
    };
    const given = [
      advisory("expat", "CVE-2024-0001", { severity: "not yet assigned" }),
      advisory("expat", "CVE-2024-0002", { severity: "low", normalizedSeverity: "Low" }),
      advisory("expat", "CVE-2024-0003"),
      advisory("expat", "CVE-2024-0003", { updater: "osv", severity: "moderate", normalizedSeverity: "Medium" }),
    ];
    const enrichments = { findEnrichments: async () => [{ tags: ["CVE-2024-0001", "CVE-2024-0002"], record: {} }] };
    const enriched = { ...engine, enrichers: [ratings] };

    const report = await matchReport(enriched, indexReport, { advisories: advisorySourceOf(given), enrichments });
    const { vulnerabilities, packageVulnerabilities } = report;

    const own = { by: "advisory", source: "debian" };
    expect(vulnerabilities).toMatchObject({
      "1": {
        severity: "AV:N",
        normalizedSeverity: "Critical",
        ratings: [{ ...own, name: "CVE-2024-0001", severity: "Unknown", text: "not yet assigned" }, nvd],
      },
      "2": {
        severity: "low",
        normalizedSeverity: "Low",
        ratings: [{ ...own, name: "CVE-2024-0002", severity: "Low" }, nvd],
      },
      "3": { updater: "debian", normalizedSeverity: "Medium", ratings: [{ by: "ecosystem", source: "osv" }] },
    });
    expect(packageVulnerabilities["1"]).toEqual(["1", "3", "2"]);
    expect(report.enrichments).toEqual({});
  });

  it("stops when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));

    await expect(
      matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories), signal }),
    ).rejects.toThrow("enough");
  });
});

function failing(): never {
  throw new Error("on purpose");
}

const shown = sampleAdvisory("PyPI", "jinja2", { name: "PYSEC-1", aliases: ["CVE-2024-0001"] });
const other = (more: Partial<Advisory>, packageName = "jinja2", ecosystem = "PyPI") =>
  sampleAdvisory(ecosystem, packageName, { name: "GHSA-1", aliases: ["CVE-2024-0001"], updater: "osv", ...more });

describe("otherStatements", () => {
  it.each([
    ["the same vulnerability", other({}), true],
    ["one that is named by its CVE id", other({ name: "CVE-2024-0001", aliases: [] }), true],
    ["another vulnerability", other({ aliases: ["CVE-2024-0002"] }), false],
    ["others as well", other({ aliases: ["CVE-2024-0001", "CVE-2024-0002"] }), false],
    ["another package", other({}, "flask"), false],
    ["another ecosystem", other({}, "jinja2", "debian:12"), false],
    ["what is not affected", other({ status: "not-affected" }), false],
  ])("of an advisory about %s", (_, rule, isOne) => {
    expect(otherStatements([shown], [shown, rule])).toEqual(isOne ? [rule.id] : []);
  });
});
