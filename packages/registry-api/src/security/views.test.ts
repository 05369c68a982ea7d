import { type Coverage, coverageEnrichment, cvssType } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import { digestOfLetter, vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { securityData } from "./security-data.ts";

describe("securityData", async () => {
  const { Layer } = await securityData({ report: vulnerabilityReport, coverage: wholeCoverage }, []);
  const common = { VersionFormat: "", NamespaceName: "" };

  it("describes the image as a whole", () => {
    const { Features: _, ...rest } = Layer;

    const common = { ParentName: "", NamespaceName: "", IndexedByVersion: 4 };
    expect(rest).toEqual({
      Name: digestOfLetter("a"),
      ...common,
      Problems: [],
      Unassessed: [],
      Feeds: [],
      Enrichers: [],
      Suppressed: [],
      EndsOfLife: [],
    });
  });

  it("says until when the distribution and packages get security fixes", async () => {
    const ends = [
      { distribution_id: "1", day: "2028-06-30" },
      { package_id: "10", product: "Semver", release: "7", day: "2025-01-31" },
    ];
    const said = vulnerabilityReport.enrichments[coverageEnrichment]?.[0] as object;
    const enrichments = { ...vulnerabilityReport.enrichments, [coverageEnrichment]: [{ ...said, end_of_life: ends }] };
    const report = { ...vulnerabilityReport, enrichments };

    const { Layer } = await securityData({ report, coverage: wholeCoverage }, []);

    expect(Layer.EndsOfLife).toEqual([
      { Name: "Debian GNU/Linux", LastDay: "2028-06-30" },
      { Name: "Semver 7", Package: "semver", LastDay: "2025-01-31" },
    ]);
  });

  it("says what could not be read", async () => {
    const coverage: Coverage = {
      ...wholeCoverage,
      status: "partial",
      layers: [{ digest: digestOfLetter("b"), status: "foreign", message: "is no archive" }],
      problems: [{ at: "var/lib/rpm/Packages", code: "malformed_package_db", message: "the page is cut off" }],
    };

    const { Layer: seen } = await securityData({ report: vulnerabilityReport, coverage }, [
      { digest: digestOfLetter("c") },
    ]);

    expect(seen.Problems).toEqual([
      { At: digestOfLetter("c"), Code: "foreign_layer", Message: "the layer is elsewhere" },
      { At: digestOfLetter("b"), Code: "foreign_layer", Message: "is no archive" },
      { At: "var/lib/rpm/Packages", Code: "malformed_package_db", Message: "the page is cut off" },
    ]);
  });

  it("shows what a distribution says of a package", () => {
    expect(Layer.Features.find(({ Name }) => Name === "libssl3")).toEqual({
      ...common,
      Name: "libssl3",
      Version: "3.0.11-1~deb12u1",
      AddedBy: digestOfLetter("b"),
      UpgradeTo: "3.0.13-1~deb12u1",
      PackageDb: "var/lib/dpkg/status",
      Purl: "pkg:deb/debian/libssl3@3.0.11-1~deb12u1?arch=amd64&distro=debian-12",
      BaseScores: [],
      CVEIds: ["CVE-2023-5678"],
      Vulnerabilities: [
        {
          Severity: "Low",
          NamespaceName: "",
          Link: "https://security-tracker.debian.org/tracker/CVE-2023-5678 https://www.openssl.org/",
          FixedBy: "3.0.13-1~deb12u1",
          Description: "Checking excessively long keys is slow.",
          Name: "CVE-2023-5678",
          Aliases: [],
          Rank: 1,
          KnownExploited: false,
          Ratings: [{ Source: "debian-tracker", Severity: "Low" }],
          Advisory: { Package: "openssl" },
          Metadata: {
            UpdatedBy: "debian-tracker",
            RepoName: "",
            RepoLink: "",
            DistroName: "Debian GNU/Linux",
            DistroVersion: "12 (bookworm)",
            NVD: { CVSSv3: { Vectors: "", Score: "" } },
          },
        },
      ],
    });
  });

  it("computes the score where the severity is a vector", () => {
    const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H";

    expect(Layer.Features.find(({ Name }) => Name === "semver")).toMatchObject({
      AddedBy: digestOfLetter("c"),
      BaseScores: [7.5],
      CVEIds: ["CVE-2022-25883"],
      Vulnerabilities: [
        {
          Severity: "High",
          FixedBy: "",
          Name: "GHSA-c2qf-rxjj-qqgw",
          Aliases: ["CVE-2022-25883"],
          Metadata: { RepoName: "npm", NVD: { CVSSv3: { Vectors: vector, Score: 7.5 } } },
        },
      ],
    });
  });

  it("shows the score of the National Vulnerability Database where it has one", async () => {
    const vector = "CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:C/C:N/I:H/A:N";
    const scores = [
      { version: "4.0", vectorString: "CVSS:4.0/AV:N", baseScore: 9.9 },
      { version: "3.0", vectorString: vector, baseScore: 6.5 },
    ];
    const enrichments = { [cvssType]: [{ "1": scores, "2": "x" }] };
    const report = { ...vulnerabilityReport, enrichments };

    const { Layer } = await securityData({ report, coverage: wholeCoverage }, []);

    expect(Layer.Features.find(({ Name }) => Name === "libssl3")).toMatchObject({
      BaseScores: [6.5],
      Vulnerabilities: [{ Severity: "Low", Metadata: { NVD: { CVSSv3: { Vectors: vector, Score: 6.5 } } } }],
    });
    expect(Layer.Features.find(({ Name }) => Name === "semver")).toMatchObject({ BaseScores: [7.5] });
  });

  it("shows a package without a vulnerability too, and without a known layer", () => {
    expect(Layer.Features.find(({ Name }) => Name === "bash")).toEqual({
      ...common,
      Name: "bash",
      Version: "5.2.15-2+b2",
      AddedBy: "",
      BaseScores: [],
      CVEIds: [],
      Vulnerabilities: [],
    });
  });

  it("names a missing feed, an outdated one and packages that no detector reads", async () => {
    const evidence = [{ path: "app/lib/a.jar", layer: digestOfLetter("b") }];
    const coverage = { ...wholeCoverage, unassessed: [{ kind: "java", count: 3, evidence }] } as const;
    const feeds = [
      { ecosystem: "debian:12", isCovered: true, isOutdated: true, checkedAt: "2026-01-01T00:00:00.000Z" },
      { ecosystem: "npm", isCovered: false, isOutdated: false },
      { ecosystem: "alpine:3.20", isCovered: true, isOutdated: false, checkedAt: "2026-02-01T00:00:00.000Z" },
    ];

    const { Layer } = await securityData({ report: vulnerabilityReport, coverage, feeds }, []);

    expect(Layer.Problems.map(({ At, Code }) => [At, Code])).toEqual([
      ["app/lib/a.jar", "unassessed_packages"],
      ["debian:12", "outdated_feed"],
      ["npm", "missing_feed"],
    ]);
    expect(Layer.Unassessed).toEqual([{ Kind: "java", Count: 3, Paths: ["app/lib/a.jar"] }]);
    expect(Layer.Feeds[0]).toEqual({
      ...{ Ecosystem: "debian:12", Covered: true, Outdated: true },
      CheckedAt: "2026-01-01T00:00:00.000Z",
    });
  });

  it("names the data that facts about vulnerabilities come from, and those that were not loaded", async () => {
    const enrichers = [
      { enricher: "epss", type: "epss", loaded: true, checked_at: "2024-01-01T00:00:00.000Z" },
      { enricher: "kev", type: "kev", loaded: false },
    ];
    const coverage = { status: "complete", layers: [], databases: [], problems: [], third_party_packages: 0 };
    const report = { ...vulnerabilityReport, enrichments: { [coverageEnrichment]: [{ ...coverage, enrichers }] } };

    const { Layer } = await securityData({ report, coverage: wholeCoverage }, []);

    expect(Layer.Enrichers).toEqual([
      { Enricher: "epss", Loaded: true, CheckedAt: "2024-01-01T00:00:00.000Z" },
      { Enricher: "kev", Loaded: false },
    ]);
  });
});
