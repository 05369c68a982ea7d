import { describe, expect, it } from "vitest";
import { countSeverities, type Finding, filterFindings, findingsOf, summaryOf } from "./findings.ts";
import { feature, found, type Row } from "./fixtures/found.ts";

const ids = (findings: readonly Finding[]) => findings.map(({ vulnerability }) => vulnerability.Name);

describe("findingsOf", () => {
  it("are in the order of the registry, equal ones by package", () => {
    const findings = found(
      { id: "second", rank: 1 },
      { id: "third", rank: 2, severity: "Critical" },
      { id: "first", rank: 0, name: "zlib", severity: "Low" },
      { id: "first", rank: 0, name: "bzip2", severity: "Low" },
    );

    expect(findings.map(({ packageName, vulnerability }) => `${vulnerability.Name} ${packageName}`)).toEqual([
      "first bzip2",
      "first zlib",
      "second openssl",
      "third openssl",
    ]);
  });

  it("has no severity that is not one", () => {
    expect(found({ severity: "Strange" })).toMatchObject([{ severity: "Unknown" }]);
  });

  it("is empty for packages without vulnerabilities", () => {
    const { Vulnerabilities: _, ...clean } = feature({});

    expect(findingsOf({ Features: [clean] })).toEqual([]);
  });
});

describe("filterFindings", () => {
  const findings = found(
    { id: "CVE-2024-1", name: "openssl", fixedIn: "2", isExploited: true },
    { id: "GHSA-x", aliases: ["CVE-2023-9"], name: "axios", severity: "Low", rank: 1 },
  );
  const all = { text: "", severity: undefined, onlyFixed: false, onlyExploited: false };

  it.each([
    ["nothing", {}, ["CVE-2024-1", "GHSA-x"]],
    ["a part of an id", { text: "2024" }, ["CVE-2024-1"]],
    ["an alias in another case", { text: "cve-2023" }, ["GHSA-x"]],
    ["a package", { text: "axi" }, ["GHSA-x"]],
    ["a severity", { severity: "Low" as const }, ["GHSA-x"]],
    ["a known exploit", { onlyExploited: true }, ["CVE-2024-1"]],
    ["a fix", { onlyFixed: true }, ["CVE-2024-1"]],
    ["what nothing has", { text: "axi", severity: "High" as const }, []],
  ])("filters by %s", (_, filter, left) => {
    expect(ids(filterFindings(findings, { ...all, ...filter }))).toEqual(left);
  });
});

describe("countSeverities", () => {
  it("counts the worst first and leaves out what is not there", () => {
    const findings = found(
      { severity: "Low", id: "1" },
      { severity: "Critical", id: "2" },
      { severity: "Low", id: "3" },
    );

    expect(countSeverities(findings)).toEqual([
      ["Critical", 1],
      ["Low", 2],
    ]);
  });
});

describe("summaryOf", () => {
  it.each<[string, Row[], ReturnType<typeof summaryOf>]>([
    ["nothing", [], { exploited: 0, fixable: 0, others: 0 }],
    [
      "with and without a fix",
      [{ id: "A", fixedIn: "2" }, { id: "B", fixedIn: "3", isExploited: true }, { id: "C" }],
      { exploited: 1, fixable: 2, others: 1 },
    ],
    ["exploited without a fix", [{ isExploited: true }], { exploited: 1, fixable: 0, others: 1 }],
  ])("counts %s", (_, rows, expected) => {
    expect(summaryOf(found(...rows))).toEqual(expected);
  });
});
