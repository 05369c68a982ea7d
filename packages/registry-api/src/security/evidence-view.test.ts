import type { VulnerabilityReport } from "@plimsoll/core";
import { epssType, kevType } from "@plimsoll/core/internal";
import { toVulnerabilityReportJson } from "@plimsoll/core/report";
import { describe, expect, it } from "vitest";
import { digestOfLetter, testReport } from "../fixtures/test-reports.ts";
import { evidenceOf, sortedInSlices } from "./evidence-view.ts";

function evidence(changes: Partial<VulnerabilityReport> = {}) {
  return evidenceOf(toVulnerabilityReportJson({ ...testReport, ...changes }));
}

function changed(id: string, changes: Partial<VulnerabilityReport["vulnerabilities"][string]>) {
  const vulnerability = testReport.vulnerabilities[id];
  if (vulnerability === undefined) throw new Error(`the report has no vulnerability ${id}`);
  return { vulnerabilities: { ...testReport.vulnerabilities, [id]: { ...vulnerability, ...changes } } };
}

describe("evidenceOf", () => {
  it("ranks by what the engine ranks by: severity where no exploit is known", async () => {
    const found = await evidence();

    expect([1, 2].map((id) => found.ofVulnerability(String(id)).Rank)).toEqual([1, 0]);
  });

  it("ranks what is exploited first, and says how likely an exploit is", async () => {
    const enrichments = {
      [kevType]: [{ "1": [{ cve: "CVE-2023-5678" }] }],
      [epssType]: [{ "2": [{ epss: 0.9, percentile: 0.99 }] }],
    };

    const found = await evidence({ enrichments });

    expect(found.ofVulnerability("1")).toMatchObject({ Rank: 0, KnownExploited: true });
    expect(found.ofVulnerability("2")).toMatchObject({ Rank: 1, Epss: { Probability: 0.9, Percentile: 0.99 } });
  });

  it("says which package and versions the advisory is about, and how severe each source says that it is", async () => {
    const found = await evidence(
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

  it("says where a package was seen and what it was built from", async () => {
    const source = { id: "3", name: "openssl", version: "3.0.11-1~deb12u1", kind: "SOURCE" } as const;
    const libssl = { ...testReport.packages["2"], source } as VulnerabilityReport["packages"][string];

    expect((await evidence({ packages: { ...testReport.packages, "2": libssl } })).ofPackage("2")).toMatchObject({
      PackageDb: "var/lib/dpkg/status",
      Source: { Name: "openssl", Version: "3.0.11-1~deb12u1" },
    });
    expect(testReport.environments["2"]?.[0]?.introducedIn).toBe(digestOfLetter("b"));
  });

  it("ranks the vulnerabilities of a long report as one", async () => {
    const [like] = Object.values(testReport.vulnerabilities);
    if (like === undefined) throw new Error("the report has vulnerabilities");
    const ids = Array.from({ length: 5000 }, (_, index) => String(index));
    const vulnerabilities = Object.fromEntries(
      ids.map((id) => [
        id,
        { ...like, id, normalizedSeverity: id === "4999" ? ("Critical" as const) : ("Low" as const) },
      ]),
    );
    const found = await evidence({ vulnerabilities, packageVulnerabilities: {} });

    expect(found.ofVulnerability("4999").Rank).toBe(0);
    expect(new Set(ids.map((id) => found.ofVulnerability(id).Rank)).size).toBe(5000);
  });

  it("is empty for ids that the report does not have", async () => {
    const found = await evidence();

    expect(found.ofPackage("99")).toEqual({});
    expect(found.ofVulnerability("99")).toMatchObject({ Rank: 2, KnownExploited: false, Ratings: [] });
  });
});

describe("sortedInSlices", () => {
  it.each([0, 1, 1000, 1001, 3500])(
    "gives what toSorted gives for %i items, equal ones in their order",
    async (length) => {
      const items = Array.from({ length }, (_, at) => ({ at, key: (at * 7919) % 101 }));
      const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

      expect(await sortedInSlices(items, byKey)).toEqual(items.toSorted(byKey));
    },
  );
});
