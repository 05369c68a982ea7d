import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import type { Advisory } from "../model/advisory.ts";
import type { Package } from "../model/package.ts";
import { buildReport } from "./build-report.ts";
import { diffReports } from "./diff-reports.ts";
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

describe("diffReports", () => {
  const anyReport = fc
    .record({
      versions: fc.array(fc.constantFrom("1", "2", "3"), { maxLength: 2 }),
      advisories: fc.uniqueArray(
        fc.record({
          name: fc.constantFrom("CVE-2024-0001", "CVE-2024-0002", "GHSA-1", "GHSA-2"),
          aliases: fc.subarray(["CVE-2024-0001", "CVE-2024-0002", "GHSA-1", "GHSA-2"]),
          ranges: fc.constantFrom([{}], [{ fixed: "2" }], [{ fixed: "3" }]),
        }),
        { selector: ({ name }) => name },
      ),
    })
    .map(({ versions, advisories }) =>
      reportOf(
        versions.map((version, i) => curl(version, String(i + 1))),
        advisories.map(({ name, ...more }) => about(name, more)),
      ),
    );

  it("finds nothing between a report and itself", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(diffReports(report, report)).toEqual({
          packages: { added: [], removed: [], changed: [] },
          added: [],
          removed: [],
          changed: [],
        });
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("is inverse when the reports are exchanged", () => {
    const inverse = {
      "package-added": "package-removed",
      "version-changed": "fixed",
      "advisory-added": "advisory-withdrawn",
      "suppression-ended": "suppressed",
      undecided: "undecided",
      "evidence-changed": "evidence-changed",
    };
    fc.assert(
      fc.property(anyReport, anyReport, (a, b) => {
        const [there, back] = [diffReports(a, b), diffReports(b, a)];

        expect(back.removed).toEqual(there.added.map((found) => ({ ...found, cause: inverse[found.cause] })));
        expect(back.added.length).toBe(there.removed.length);
        expect(back.packages.removed).toEqual(there.packages.added);
        expect(back.packages.added).toEqual(there.packages.removed);
        expect(back.packages.changed).toEqual(
          there.packages.changed.map(({ before, after }) => ({ before: after, after: before })),
        );
        const exchanged = there.changed.map(({ before, after }) => ({ before: after, after: before }));
        expect(new Set(back.changed.map((each) => JSON.stringify(each)))).toEqual(
          new Set(exchanged.map((each) => JSON.stringify(each))),
        );
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
