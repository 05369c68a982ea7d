import { parseDigest, toVulnerabilityReportJson } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { reportWriter } from "./report-writer.ts";

const manifestDigest = parseDigest(`sha256:${"a".repeat(64)}`);
const layer = parseDigest(`sha256:${"b".repeat(64)}`);

const report = toVulnerabilityReportJson({
  manifestDigest,
  packages: { "1": { id: "1", name: "zlib1g", version: "1.2", kind: "BINARY" } },
  distributions: { "1": { id: "1", did: "debian", name: "Debian GNU/Linux" } },
  repositories: {},
  environments: {
    "1": [{ packageDb: "var/lib/dpkg/status", introducedIn: layer, distributionId: "1", repositoryIds: [] }],
  },
  vulnerabilities: {
    "1": {
      ...{ id: "1", updater: "debian", name: "CVE-2024-0001", aliases: [], links: [], normalizedSeverity: "High" },
      package: { id: "1", name: "zlib", version: "", kind: "SOURCE" },
    },
  },
  packageVulnerabilities: { "1": ["1"] },
  undecided: [],
  suppressed: [],
  enrichments: {},
  coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  feeds: [],
  endsOfLife: [],
});

describe("reportWriter", () => {
  it.each([
    ["sarif", '"version": "2.1.0"'],
    ["cyclonedx", '"bomFormat": "CycloneDX"'],
    ["spdx", '"spdxVersion"'],
    ["csv", '"image","status"'],
  ] as const)("writes %s", (format, start) => {
    const document = reportWriter.write({ report, reference: "acme/app@sha256:1", format, createdAt: 0 });

    expect(document).toContain(start);
    expect(document).toContain(format === "spdx" ? "zlib1g" : "CVE-2024-0001");
  });
});
