import { parseDigest } from "@plimsoll/core/digest";
import { toVulnerabilityReportJson } from "@plimsoll/core/report";
import { describe, expect, it } from "vitest";
import { createReportWriter } from "./report-writer.ts";

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

const writer = createReportWriter();
const image = { report, reference: "acme/app@sha256:1", createdAt: 0 };

describe("createReportWriter", () => {
  it.each([
    ["sarif", '"version": "2.1.0"'],
    ["cyclonedx", '"bomFormat": "CycloneDX"'],
    ["spdx", '"spdxVersion"'],
    ["csv", '"image","status"'],
  ] as const)("writes %s", async (format, start) => {
    const document = (await writer.write({ ...image, format, signal: new AbortController().signal })).join("");

    expect(document).toContain(start);
    expect(document).toContain(format === "spdx" ? "zlib1g" : "CVE-2024-0001");
  });

  it.each([
    ["cyclonedx", ['"sbom@a.example"', '"https://b.example"']],
    ["spdx", ['"Organization: A (sbom@a.example)"', '"Organization: B"']],
  ] as const)("names in %s who makes it and who supplies the image", async (format, names) => {
    const named = createReportWriter({ sbomAuthor: "A <sbom@a.example>", sbomSupplier: "B <https://b.example>" });

    const { signal } = new AbortController();
    const document = (await named.write({ ...image, format, signal })).join("");

    for (const name of names) expect(document).toContain(name);
  });

  it.each([
    ["cyclonedx", '"id": "Zlib"'],
    ["spdx", '"licenseDeclared": "Zlib"'],
  ] as const)("writes what records of packages say into %s", async (format, license) => {
    const bill = { details: { "1": { licenses: [{ text: "Zlib" }], supplier: "Debian Zlib Team" } } };

    const { signal } = new AbortController();
    const document = (await writer.write({ ...image, bill, format, signal })).join("");

    expect(document).toContain(license);
    expect(document).toContain("Debian Zlib Team");
  });

  it.each(["csv", "sarif"] as const)("writes into %s by what packages are needed", async (format) => {
    const needing = { id: "2", name: "needing", version: "3", kind: "BINARY" } as const;
    const more = { ...report, packages: { ...report.packages, "2": needing } };
    const bill = { dependencies: { "2": { packageIds: ["1"] } } };

    const { signal } = new AbortController();
    const document = (await writer.write({ ...image, report: more, bill, format, signal })).join("");

    expect(document).toContain("needing 3");
  });

  it("gives a long document in parts, and writes the next while a client has left", async () => {
    const leaving = new AbortController();
    const { signal } = new AbortController();
    const description = "€".repeat(700_000);
    const long = { ...report.vulnerabilities["1"], description } as (typeof report.vulnerabilities)[string];
    const left = writer.write({ ...image, format: "csv", signal: leaving.signal });
    const written = writer.write({
      ...{ ...image, format: "cyclonedx", signal },
      report: { ...report, vulnerabilities: { "1": long } },
    });
    leaving.abort();

    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    const parts = await written;

    expect(parts.length).toBeGreaterThan(2);
    expect(JSON.parse(parts.join("")).vulnerabilities[0].description).toBe(description);
  });

  it("fails for a report that cannot be read", async () => {
    const unreadable = { ...report, manifest_hash: "none" };
    const { signal } = new AbortController();

    await expect(writer.write({ ...image, report: unreadable, format: "csv", signal })).rejects.toThrow("none");
  });
});
