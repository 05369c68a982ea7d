import { describe, expect, it } from "vitest";
import { countSeverities, type Finding, filterFindings, findingsOf, type Security } from "./findings.ts";

type Feature = Security["Features"][number];

interface Row {
  readonly name?: string;
  readonly id?: string;
  readonly aliases?: readonly string[];
  readonly severity?: string;
  readonly score?: number | "";
  readonly fixedIn?: string;
}

function feature({
  name = "openssl",
  id = "CVE-1",
  aliases = [],
  severity = "High",
  score = "",
  fixedIn = "",
}: Row): Feature {
  const NVD = { CVSSv3: { Vectors: "", Score: score } };
  const Metadata = { UpdatedBy: "", RepoName: "", RepoLink: "", DistroName: "", DistroVersion: "", NVD };
  const named = { Name: id, Aliases: aliases, Severity: severity, FixedBy: fixedIn, Metadata };
  const Vulnerabilities = [{ ...named, NamespaceName: "", Link: "", Description: "" }];
  return { Name: name, VersionFormat: "", NamespaceName: "", AddedBy: "sha256:1", Version: "1", Vulnerabilities };
}

const found = (...rows: readonly Row[]) => findingsOf({ Features: rows.map(feature) });
const ids = (findings: readonly Finding[]) => findings.map(({ vulnerability }) => vulnerability.Name);

describe("findingsOf", () => {
  it("puts the most urgent first", () => {
    const findings = found(
      { id: "unknown word", severity: "Strange", score: 10 },
      { id: "low", severity: "Low" },
      { id: "high without a fix", score: 8 },
      { id: "high with a fix", score: 8, fixedIn: "2" },
      { id: "high, worse", score: 8.5 },
      { id: "critical", severity: "Critical" },
    );

    expect(ids(findings)).toEqual([
      "critical",
      "high, worse",
      "high with a fix",
      "high without a fix",
      "low",
      "unknown word",
    ]);
  });

  it("is empty for packages without vulnerabilities", () => {
    const { Vulnerabilities: _, ...clean } = feature({});

    expect(findingsOf({ Features: [clean] })).toEqual([]);
  });
});

describe("filterFindings", () => {
  const findings = found(
    { id: "CVE-2024-1", name: "openssl", fixedIn: "2" },
    { id: "GHSA-x", aliases: ["CVE-2023-9"], name: "axios", severity: "Low" },
  );
  const all = { text: "", severity: undefined, onlyFixed: false };

  it.each([
    ["nothing", {}, ["CVE-2024-1", "GHSA-x"]],
    ["a part of an id", { text: "2024" }, ["CVE-2024-1"]],
    ["an alias in another case", { text: "cve-2023" }, ["GHSA-x"]],
    ["a package", { text: "axi" }, ["GHSA-x"]],
    ["a severity", { severity: "Low" as const }, ["GHSA-x"]],
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
