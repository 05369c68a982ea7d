import { testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { packMetrics } from "./cve-record.ts";
import { cvssEnricher } from "./enricher.ts";

const secondary = "cna@vendor.example";
const v2 = metric("AV:L/AC:L/Au:N/C:N/I:P/A:N", 2.1);
const v30 = metric("CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:C/C:N/I:H/A:N", 6.5);
const v31 = metric("CVSS:3.1/AV:A/AC:H/PR:H/UI:R/S:U/C:H/I:L/A:N", 4.9);
const cna31 = { ...v31, source: secondary, isPrimary: false };
const cna40 = {
  ...metric("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", 8.7),
  source: secondary,
  isPrimary: false,
};

function metric(vector: string, score: number) {
  return { source: "nvd@nist.gov", isPrimary: true, vector, score };
}

/** The facts in a report about a vulnerability with these scores. */
function factOf(...metrics: readonly ReturnType<typeof metric>[]) {
  return cvssEnricher.enrich(testAdvisory({ id: "a" }), [{ tags: ["CVE-1"], record: packMetrics(metrics) }]);
}

describe("cvssEnricher", () => {
  it("writes a score in the database's own form", () => {
    expect(factOf(v31)).toEqual([
      {
        version: "3.1",
        vectorString: "CVSS:3.1/AV:A/AC:H/PR:H/UI:R/S:U/C:H/I:L/A:N",
        baseScore: 4.9,
        baseSeverity: "MEDIUM",
        attackVector: "ADJACENT_NETWORK",
        attackComplexity: "HIGH",
        privilegesRequired: "HIGH",
        userInteraction: "REQUIRED",
        scope: "UNCHANGED",
        confidentialityImpact: "HIGH",
        integrityImpact: "LOW",
        availabilityImpact: "NONE",
      },
    ]);
    expect(factOf({ ...v31, score: 0 })).toMatchObject([{ baseSeverity: "NONE" }]);
  });

  it.each([
    ["its own 3.1 before its own 3.0", [v2, v30, v31, cna31], v31],
    ["its own 3.0 before another's 3.1", [cna31, v2, v30], v30],
    ["another's 3.1 before another's 4.0", [cna40, cna31], cna31],
    ["another's 4.0 before its own 2.0", [v2, cna40], cna40],
    ["2.0 if there is nothing else", [v2], v2],
  ])("prefers %s", (_, metrics, best) => {
    expect(factOf(...metrics)).toMatchObject([{ vectorString: best.vector, baseScore: best.score }]);
  });

  it("adds nothing if there is no score", () => {
    expect(factOf()).toBeUndefined();
  });
});
