import { epssType, kevType, toVulnerabilityReportJson, type VulnerabilityReport } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { digestOfLetter, testReport } from "../fixtures/test-reports.ts";
import { evidenceOf } from "./evidence-view.ts";

function evidence(changes: Partial<VulnerabilityReport> = {}) {
  return evidenceOf(toVulnerabilityReportJson({ ...testReport, ...changes }));
}

function changed(id: string, changes: Partial<VulnerabilityReport["vulnerabilities"][string]>) {
  const vulnerability = testReport.vulnerabilities[id];
  if (vulnerability === undefined) throw new Error(`the report has no vulnerability ${id}`);
  return { vulnerabilities: { ...testReport.vulnerabilities, [id]: { ...vulnerability, ...changes } } };
}

describe("evidenceOf", () => {
  it("ranks by what the engine ranks by: severity where no exploit is known", () => {
    expect([1, 2].map((id) => evidence().ofVulnerability(String(id)).Rank)).toEqual([1, 0]);
  });

  it("ranks what is exploited first, and says how likely an exploit is", () => {
    const enrichments = {
      [kevType]: [{ "1": [{ cve: "CVE-2023-5678" }] }],
      [epssType]: [{ "2": [{ epss: 0.9, percentile: 0.99 }] }],
    };

    const found = evidence({ enrichments });

    expect(found.ofVulnerability("1")).toMatchObject({ Rank: 0, KnownExploited: true });
    expect(found.ofVulnerability("2")).toMatchObject({ Rank: 1, Epss: { Probability: 0.9, Percentile: 0.99 } });
  });

  it("says which package and versions the advisory is about, and how severe each source says that it is", () => {
    const found = evidence(
      changed("1", {
        range: { lower: "3.0.0", upper: "3.0.13" },
        issuedAt: Date.parse("2023-11-06T00:00:00Z"),
        ratings: [
          { by: "advisory", source: "debian", name: "CVE-2023-5678", severity: "Low" },
          { by: "nvd", source: "nvd@nist.gov", name: "CVE-2023-5678", severity: "Medium", score: 5.3 },
        ],
      }),
    );

    expect(found.ofVulnerability("1")).toMatchObject({
      Advisory: { Package: "openssl", From: "3.0.0", Before: "3.0.13", Published: "2023-11-06T00:00:00.000Z" },
      Ratings: [
        { Source: "debian", Severity: "Low" },
        { Source: "nvd@nist.gov", Severity: "Medium", Score: 5.3 },
      ],
    });
  });

  it("says where a package was seen and what it was built from", () => {
    const source = { id: "3", name: "openssl", version: "3.0.11-1~deb12u1", kind: "SOURCE" } as const;
    const libssl = { ...testReport.packages["2"], source } as VulnerabilityReport["packages"][string];

    expect(evidence({ packages: { ...testReport.packages, "2": libssl } }).ofPackage("2")).toMatchObject({
      PackageDb: "var/lib/dpkg/status",
      Source: { Name: "openssl", Version: "3.0.11-1~deb12u1" },
    });
    expect(testReport.environments["2"]?.[0]?.introducedIn).toBe(digestOfLetter("b"));
  });

  it("says nothing of what the report does not have", () => {
    expect(evidence().ofPackage("99")).toEqual({});
    expect(evidence().ofVulnerability("99")).toMatchObject({ Rank: 2, KnownExploited: false, Ratings: [] });
  });
});
