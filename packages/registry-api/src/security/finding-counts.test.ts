import type { VulnerabilityReport } from "@plimsoll/core";
import { kevType } from "@plimsoll/core/internal";
import { countFindings, namesToFind } from "@plimsoll/registry/security/finding-counts";
import type { DoneScan } from "@plimsoll/registry/security/image-findings";
import { findUpgrades } from "@plimsoll/registry/security/upgrades";
import { describe, expect, it } from "vitest";
import { testReport, vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";

const { vulnerabilities } = vulnerabilityReport;
const [low, high] = [vulnerabilities["1"], vulnerabilities["2"]];
if (low === undefined || high === undefined) throw new Error("the report of the tests has two vulnerabilities");

const scan: DoneScan = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage };
const none = { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, exploited: 0 };
const feed = { ecosystem: "debian", isCovered: true, isOutdated: false };

describe("countFindings", () => {
  it.each<{ what: string; report?: Partial<DoneScan["report"]>; counts: object }>([
    { what: "each severity, and what has a fix", counts: { high: 1, low: 1, fixable: 1 } },
    {
      what: "nothing that no package has, such as what VEX took out",
      report: { package_vulnerabilities: { "2": ["1"] } },
      counts: { low: 1, fixable: 1 },
    },
    {
      what: "a name once, as severe as the worst, fixable where one is",
      report: { vulnerabilities: { "1": low, "2": { ...high, name: low.name } } },
      counts: { high: 1, fixable: 1 },
    },
    {
      what: "what is known to be exploited",
      report: { enrichments: { [kevType]: [{ "2": [{ added: "2026-01-01" }] }] } },
      counts: { high: 1, low: 1, fixable: 1, exploited: 1 },
    },
  ])("counts $what", async ({ report, counts }) => {
    const { counts: counted } = await countFindings({ ...scan, report: { ...vulnerabilityReport, ...report } });

    expect(counted).toEqual({ ...none, ...counts, is_partial: 0, data_state: "unknown" });
  });

  it.each<{ what: string; scan: Partial<DoneScan>; partial: 0 | 1; state: string }>([
    { what: "feeds that are up to date", scan: { feeds: [feed] }, partial: 0, state: "current" },
    { what: "an outdated feed", scan: { feeds: [feed, { ...feed, isOutdated: true }] }, partial: 0, state: "outdated" },
    { what: "no feed", scan: { feeds: [feed, { ...feed, isCovered: false }] }, partial: 1, state: "missing" },
    {
      what: "packages that no detector reads",
      scan: { coverage: { ...wholeCoverage, unassessed: [{ kind: "nix", count: 1, evidence: [] }] } },
      partial: 1,
      state: "unknown",
    },
    {
      what: "a package that cannot be judged",
      scan: { coverage: { ...wholeCoverage, undecided: [{ fact: "group", packageIds: ["7"] }] } },
      partial: 1,
      state: "unknown",
    },
    {
      what: "an advisory that does not say whether a package is affected",
      scan: { coverage: { ...wholeCoverage, undecided: [{ fact: "statement", packageIds: ["7"] }] } },
      partial: 0,
      state: "unknown",
    },
    {
      what: "a file that could not be read",
      scan: { coverage: { ...wholeCoverage, problems: [{ at: "a", code: "malformed", message: "no" }] } },
      partial: 1,
      state: "unknown",
    },
  ])("says how far $what can be relied on", async ({ scan: given, partial, state }) => {
    expect((await countFindings({ ...scan, ...given })).counts).toMatchObject({
      is_partial: partial,
      data_state: state,
    });
  });

  it("lists each vulnerability under all its names, in lower case", async () => {
    const [fixed, open] = [
      { severity: "Low", has_fix: 1, is_exploited: 0 },
      { severity: "High", has_fix: 0, is_exploited: 0 },
    ];

    expect((await countFindings(scan)).vulnerabilities).toEqual([
      { name: "cve-2023-5678", ...fixed, is_alias: 0 },
      { name: "ghsa-c2qf-rxjj-qqgw", ...open, is_alias: 0 },
      { name: "cve-2022-25883", ...open, is_alias: 1 },
    ]);
  });
});

interface Given extends Pick<VulnerabilityReport, "vulnerabilities"> {
  readonly of: VulnerabilityReport["packageVulnerabilities"];
}

describe("findUpgrades", () => {
  const fixed = { fixedInVersion: "3.0.13-1~deb12u1", normalizedSeverity: "Critical" } as const;
  const [openssl, semver] = [testReport.vulnerabilities["1"], testReport.vulnerabilities["2"]];
  if (openssl === undefined || semver === undefined) throw new Error("the report of the tests has two vulnerabilities");
  const library = testReport.packages["2"];
  if (library === undefined) throw new Error("the report of the tests has a library");
  const source = { id: "20", name: "openssl", version: "3.0.11-1~deb12u1", kind: "SOURCE" } as const;
  const packages = { ...testReport.packages, "2": { ...library, source }, "3": { ...library, id: "3", source } };
  const environments = { ...testReport.environments, "3": testReport.environments["2"] ?? [] };
  const toOpenssl = {
    ...{ package_type: "deb", package: "openssl", version: "3.0.11-1~deb12u1", to_version: "3.0.13-1~deb12u1" },
    ...{ critical: 1, high: 0, exploited: 0 },
  };
  const none: Given = { vulnerabilities: testReport.vulnerabilities, of: { "2": ["1"], "10": ["2"] } };

  it.each<{ what: string; given: Given; upgrades: readonly object[] }>([
    { what: "nothing for a low vulnerability, or one without a fix", given: none, upgrades: [] },
    {
      what: "a vulnerability once for all packages of a source",
      given: { vulnerabilities: { "1": { ...openssl, ...fixed } }, of: { "2": ["1"], "3": ["1"] } },
      upgrades: [toOpenssl],
    },
    {
      what: "one upgrade for all vulnerabilities of a package, the one that removes the most first",
      given: {
        vulnerabilities: {
          "1": { ...openssl, ...fixed },
          "2": { ...semver, fixedInVersion: "7.5.2" },
          "3": { ...semver, id: "3", name: "GHSA-2", fixedInVersion: "7.5.10" },
        },
        of: { "10": ["2", "3"], "2": ["1"] },
      },
      upgrades: [
        toOpenssl,
        {
          ...{ package_type: "npm", package: "semver", version: "7.5.1", to_version: "7.5.10" },
          ...{ critical: 0, high: 2, exploited: 0 },
        },
      ],
    },
  ])("finds $what", async ({ given: { vulnerabilities: found, of }, upgrades }) => {
    const report = { ...testReport, packages, environments, vulnerabilities: found, packageVulnerabilities: of };

    expect(await findUpgrades(report)).toEqual(upgrades);
  });
});

describe("namesToFind", () => {
  it.each([
    { name: "CVE-2023-5678", aliases: [], names: ["cve-2023-5678"] },
    { name: "GHSA-c2qf-rxjj-qqgw", aliases: ["CVE-2022-25883"], names: ["ghsa-c2qf-rxjj-qqgw", "cve-2022-25883"] },
    { name: "ALPINE-CVE-2022-37434", aliases: [], names: ["alpine-cve-2022-37434", "cve-2022-37434"] },
    { name: "RHSA-2023:1", aliases: ["CVE-2023-1111"], names: ["rhsa-2023:1", "cve-2023-1111"] },
  ])("finds $name by all its names, and by the CVE ids in them", ({ names, ...vulnerability }) => {
    expect(namesToFind(vulnerability)).toEqual(names);
  });
});
