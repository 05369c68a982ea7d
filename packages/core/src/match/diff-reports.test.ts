import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import type { Advisory } from "../model/advisory.ts";
import type { PackageFact } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import { buildReport } from "./build-report.ts";
import { diffReports, type ReportDiff } from "./diff-reports.ts";
import { sampleAdvisory, sampleDistribution, sampleIndexReport, samplePackage } from "./fixtures/samples.ts";
import { indexRecords } from "./index-records.ts";
import { matchRecords } from "./match-records.ts";
import type { VulnerabilityReport } from "./report.ts";

function reportOf(packages: readonly Package[], advisories: readonly Advisory[]): VulnerabilityReport {
  const indexReport = sampleIndexReport(sampleDistribution("debian 12"), packages);
  const matched = matchRecords([debianMatcher], { records: indexRecords(indexReport), advisories });
  return buildReport({ indexReport, matched, advisories, feeds: [], facts: new Map(), problems: [] });
}

const curl = (version: string, id = "1") => samplePackage(`curl ${version}`, { id });
const about = (name: string, more: Partial<Advisory> = {}) => sampleAdvisory("debian:12", "curl", { name, ...more });
const fixedIn2 = about("CVE-2024-0001", { ranges: [{ fixed: "2" }] });

function brief({ added, removed, changed }: ReportDiff) {
  return {
    added: added.map(({ vulnerability, cause }) => `${vulnerability.name} ${cause}`),
    removed: removed.map(({ vulnerability, cause }) => `${vulnerability.name} ${cause}`),
    changed: changed.map(({ before, after }) =>
      [before, after].map((of) => `${of.vulnerability.name} ${of.package.version}`),
    ),
  };
}

/** The coverage of a report in which the package 1 lacks a fact. */
function unjudged(fact: PackageFact): Pick<VulnerabilityReport, "coverage"> {
  const { coverage } = reportOf([], []);
  return { coverage: { ...coverage, undecided: [{ fact, packageIds: ["1"] }] } };
}

const same = { added: [], removed: [], changed: [] };

describe("diffReports", () => {
  it.each([
    ["the same version", "1"],
    ["another version", "1.1"],
  ])("says that a statement suppresses a finding or does so no more, at %s", (_, version) => {
    const found = reportOf([curl("1")], [fixedIn2]);
    const other = reportOf(
      [curl(version)],
      [about("GHSA-1", { ...fixedIn2, name: "GHSA-1", aliases: [fixedIn2.name] })],
    );
    const stated = {
      ...other,
      packageVulnerabilities: {},
      suppressed: [{ packageId: "1", vulnerabilityId: "1", status: "not_affected", place: "a.vex.json" }],
    } as const;

    expect(brief(diffReports(found, stated))).toEqual({ ...same, removed: ["CVE-2024-0001 suppressed"] });
    expect(brief(diffReports(stated, found))).toEqual({ ...same, added: ["CVE-2024-0001 suppression-ended"] });
  });

  it.each<[string, Partial<VulnerabilityReport>]>([
    ["has it as undecided", { undecided: [{ packageId: "1", name: "CVE-2024-0001", reason: "version-unknown" }] }],
    ["cannot judge the package", unjudged("source")],
  ])("says that a finding is undecided where a report %s, at any version", (_, unknown) => {
    const found = reportOf([curl("1")], [fixedIn2]);
    for (const version of ["1", "1.1", "2"]) {
      const other = { ...reportOf([curl(version)], []), ...unknown };

      expect(brief(diffReports(found, other))).toMatchObject({ removed: ["CVE-2024-0001 undecided"] });
      expect(brief(diffReports(other, found))).toMatchObject({ added: ["CVE-2024-0001 undecided"] });
    }
    const ofOthers = { ...reportOf([curl("2")], []), ...unjudged("owner") };
    expect(brief(diffReports(found, ofOthers))).toMatchObject({ removed: ["CVE-2024-0001 fixed"] });
  });

  it.each([
    ["an upgrade that brings the fix", [curl("1")], [curl("2", "7")], { ...same, removed: ["CVE-2024-0001 fixed"] }],
    ["a removed package", [curl("1")], [], { ...same, removed: ["CVE-2024-0001 package-removed"] }],
    ["a new package", [], [curl("1")], { ...same, added: ["CVE-2024-0001 package-added"] }],
    ["a downgrade", [curl("2")], [curl("1")], { ...same, added: ["CVE-2024-0001 version-changed"] }],
    [
      "an upgrade without the fix",
      [curl("1")],
      [curl("1.1")],
      { ...same, changed: [["CVE-2024-0001 1", "CVE-2024-0001 1.1"]] },
    ],
    [
      "one of two versions that goes",
      [curl("1"), curl("1.1", "2")],
      [curl("1.1")],
      { ...same, removed: ["CVE-2024-0001 fixed"] },
    ],
    [
      "a second version that comes",
      [curl("1")],
      [curl("1"), curl("1.1", "2")],
      { ...same, added: ["CVE-2024-0001 version-changed"] },
    ],
    ["other ids", [curl("1", "1")], [curl("1", "9")], same],
  ])("compares images: %s", (_, before, after, diff) => {
    expect(brief(diffReports(reportOf(before, [fixedIn2]), reportOf(after, [fixedIn2])))).toEqual(diff);
  });

  it.each([
    ["a new advisory", [], [fixedIn2], { ...same, added: ["CVE-2024-0001 advisory-added"] }],
    ["a withdrawn advisory", [fixedIn2], [], { ...same, removed: ["CVE-2024-0001 advisory-withdrawn"] }],
    [
      "another feed's name",
      [about("CVE-2024-0001")],
      [about("GHSA-1", { aliases: ["CVE-2024-0001"] })],
      { ...same, changed: [["CVE-2024-0001 1", "GHSA-1 1"]] },
    ],
    [
      "a CVE id for what had none",
      [about("GHSA-1")],
      [about("CVE-2024-0001", { aliases: ["GHSA-1"] })],
      { ...same, changed: [["GHSA-1 1", "CVE-2024-0001 1"]] },
    ],
    [
      "another severity",
      [about("X-1")],
      [about("X-1", { normalizedSeverity: "High" })],
      { ...same, changed: [["X-1 1", "X-1 1"]] },
    ],
    ["another source of the same", [about("X-1")], [about("X-1", { id: "osv/X-1", updater: "osv" })], same],
  ])("compares feeds: %s", (_, before, after, diff) => {
    expect(brief(diffReports(reportOf([curl("1")], before), reportOf([curl("1")], after)))).toEqual(diff);
  });

  it("says that the evidence differs where the package is the same and the advisories are, or where it comes from elsewhere", () => {
    const at = (checkedAt: number) => [{ ecosystem: "debian:12", covered: true, checkedAt }];
    const found = { ...reportOf([curl("1")], [fixedIn2]), feeds: at(1) };
    const none = { ...reportOf([curl("1")], []), feeds: at(1) };
    const elsewhere = { ...none, distributions: {}, feeds: at(2) };

    expect(brief(diffReports(none, found)).added).toEqual(["CVE-2024-0001 evidence-changed"]);
    expect(brief(diffReports(found, none)).removed).toEqual(["CVE-2024-0001 evidence-changed"]);
    expect(brief(diffReports(elsewhere, found)).added).toEqual(["CVE-2024-0001 evidence-changed"]);
    expect(brief(diffReports({ ...none, feeds: at(2) }, found)).added).toEqual(["CVE-2024-0001 advisory-added"]);
    expect(brief(diffReports({ ...none, feeds: [] }, found)).added).toEqual(["CVE-2024-0001 advisory-added"]);
  });
});
