import type { VulnerabilityReport } from "@plimsoll/core";
import { epssType, kevType } from "@plimsoll/core/internal";
import { scanOfReport } from "@plimsoll/scanner";
import { describe, expect, it } from "vitest";
import { parseFindingFilter } from "./finding-filter.ts";
import { judgeScans } from "./gate.ts";

const [kev, epss] = [
  { enricher: "kev", type: kevType, loaded: true },
  { enricher: "epss", type: epssType, loaded: true },
];
const facts = { [kevType]: [{ "9": [{ cve: "CVE-2024-9" }] }] };

const vulnerability = {
  ...{ id: "1", updater: "debian", name: "CVE-2024-1000", aliases: [], links: [], normalizedSeverity: "Low" as const },
  package: { id: "v1", name: "a", version: "", kind: "SOURCE" as const },
};

function reportWith(more: Partial<VulnerabilityReport>): VulnerabilityReport {
  return {
    manifestDigest: `sha256:${"0".repeat(64)}` as VulnerabilityReport["manifestDigest"],
    packages: { "1": { id: "1", name: "a", version: "1", kind: "BINARY" } },
    ...{ distributions: {}, repositories: {}, environments: {}, undecided: [], suppressed: [], endsOfLife: [] },
    vulnerabilities: { "1": vulnerability },
    packageVulnerabilities: { "1": ["1"] },
    enrichments: {},
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
    feeds: [{ ecosystem: "debian:12", covered: true }],
    ...more,
  };
}

describe("judgeScans", () => {
  it.each([
    ["high", [], 0],
    ["high", [{ at: "a", code: "b", message: "c" }], 3],
    ["unknown+", [], 3],
  ])(
    "judges an image with a package that the distribution did not make or may not have made or owned, or of which an advisory says nothing, by %s, problems: %j",
    (filter, problems, code) => {
      const { coverage } = reportWith({});
      const partial = { ...coverage, status: "partial", problems } as const;
      const nothing = { vulnerabilities: {}, packageVulnerabilities: {} };
      const statement = { fact: "statement", packageIds: ["1"] } as const;
      const undecided = [{ packageId: "1", name: "CVE-2024-1", reason: "vendor-undetermined" }] as const;
      const scans = [
        reportWith({ ...nothing, coverage: { ...partial, thirdPartyPackages: 1 } }),
        reportWith({ ...nothing, coverage: { ...partial, undecided: [statement] }, undecided }),
        ...(["owner", "maker"] as const).map((fact) =>
          reportWith({ ...nothing, coverage: { ...partial, undecided: [{ fact, packageIds: ["1"] }] } }),
        ),
      ].map((report) => scanOfReport({ source: "report:a.json", reference: "a.json" }, report));
      const rules = { strict: false, allowIncomplete: false, maxDbAgeDays: 7 };
      const failOn = parseFindingFilter("--fail-on", filter);

      expect(scans.map((scan) => judgeScans([scan], { ...rules, failOn }).code)).toEqual([code, code, code, code]);
    },
  );

  it.each([
    ["critical", ["--fail-on did not judge 1 finding of Unknown severity in a.json: unknown+ includes them"]],
    ["critical,exploited", ["--fail-on did not judge 1 finding of Unknown severity in a.json: unknown+ includes them"]],
    ["unknown+", []],
    ["exploited", []],
    ["epss>0.5", []],
  ])("notes that %s does not judge a finding of Unknown severity, if severities decide", (filter, notes) => {
    const report = reportWith({ vulnerabilities: { "1": { ...vulnerability, normalizedSeverity: "Unknown" } } });
    const scan = scanOfReport({ source: "a.json", reference: "a.json" }, report);
    const failOn = parseFindingFilter("--fail-on", filter);

    expect(judgeScans([scan], { strict: false, allowIncomplete: false, maxDbAgeDays: 7, failOn }).notes).toEqual(notes);
  });

  it.each<{ report: Partial<VulnerabilityReport>; what: string; codes: Readonly<Record<string, number>> }>([
    {
      what: "says that all data were loaded",
      report: { enrichers: [kev, epss] },
      codes: { exploited: 0, "epss>0.5": 0, "critical,exploited,epss>0.5": 0, critical: 0 },
    },
    {
      what: "says that no data were loaded",
      report: { enrichers: [kev, epss].map((each) => ({ ...each, loaded: false })) },
      codes: { exploited: 3, "epss>=0": 3, "critical,exploited": 3, "low,exploited": 1, critical: 0 },
    },
    {
      what: "says that one of them was loaded",
      report: { enrichers: [kev] },
      codes: { exploited: 0, "epss>0.5": 3, "exploited,epss>0.5": 3 },
    },
    { what: "says nothing about them", report: {}, codes: { exploited: 3, "epss>0.5": 3, "low+": 1, critical: 0 } },
    {
      what: "has a finding without a CVE id",
      report: { enrichers: [kev, epss], vulnerabilities: { "1": { ...vulnerability, name: "GHSA-a-b-c" } } },
      codes: {
        exploited: 3,
        "epss>0.5": 3,
        "low,exploited": 1,
        "exploited,fixable": 0,
        "critical,fixable": 0,
        critical: 0,
      },
    },
    {
      what: "is another scanner's and has such facts",
      report: { enrichments: facts },
      codes: { exploited: 0, "epss>0.5": 3 },
    },
  ])("judges by risk a report that $what", ({ report, codes }) => {
    const scan = scanOfReport({ source: "report:a.json", reference: "a.json" }, reportWith(report));
    const rules = { strict: false, allowIncomplete: false, maxDbAgeDays: 7 };
    const judge = (filter: string, more = {}) =>
      judgeScans([scan], { ...rules, ...more, failOn: parseFindingFilter("--fail-on", filter) });

    const found = Object.keys(codes).map((filter) => [filter, judge(filter).code]);
    const allowed = Object.keys(codes).map((filter) => judge(filter, { allowIncomplete: true }).code);

    expect(Object.fromEntries(found)).toEqual(codes);
    expect(allowed).not.toContain(3);
  });

  it.each([
    ["epss>0.5", {}, "note"],
    ["epss>0.5", { allowIncomplete: true }, "note"],
    ["epss>0.5", { strict: true }, "reason"],
    ["epss>0.5", { strict: true, allowIncomplete: true }, "note"],
    ["epss>0.5,fixable", { strict: true }, "nothing"],
    ["exploited", { strict: true }, "nothing"],
    ["low,epss>0.5", { strict: true }, "nothing"],
  ])("says by %s with %j in a %s that a finding has no score", (filter, more, where) => {
    const scan = scanOfReport({ source: "report:a.json", reference: "a.json" }, reportWith({ enrichers: [kev, epss] }));
    const failOn = parseFindingFilter("--fail-on", filter);

    const judged = judgeScans([scan], { strict: false, allowIncomplete: false, maxDbAgeDays: 7, failOn, ...more });

    const text = "report:a.json has 1 finding of which EPSS has no score, as of new CVEs: CVE-2024-1000";
    expect(judged.notes).toEqual(where === "note" ? [`--fail-on did not judge: ${text}`] : []);
    expect(judged.reasons.filter((each) => each.includes("EPSS"))).toEqual(
      where === "reason" ? [`--strict: ${text}`] : [],
    );
    expect(judged.code === 3).toBe(where === "reason");
  });

  it("names the data that are missing and how to get them", () => {
    const scan = scanOfReport({ source: "report:a.json", reference: "a.json" }, reportWith({}));
    const rules = { strict: false, allowIncomplete: false, maxDbAgeDays: 7 };

    const { reasons } = judgeScans([scan], { ...rules, failOn: parseFindingFilter("--fail-on", "exploited") });

    expect(reasons[0]).toBe(
      "--fail-on could not judge: report:a.json: its report does not say that it was made with the catalog of exploited vulnerabilities: run plimsoll db update --feed kev, and scan again",
    );
  });
});
