import type { Coverage, UnassessedPackages, VulnerabilityReport } from "@plimsoll/scanner";
import { describe, expect, it } from "vitest";
import { indexFooter, scanFooter } from "./footer.ts";

const layer =
  "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" as Coverage["layers"][number]["digest"];

function coverageOf(...unassessed: readonly UnassessedPackages[]): Coverage {
  const status = unassessed.length === 0 ? "complete" : "partial";
  return {
    status,
    layers: [{ digest: layer, status: "read" }],
    databases: [],
    problems: [],
    unassessed,
    thirdPartyPackages: 0,
  };
}

describe("indexFooter", () => {
  it("lists no kinds if all packages are assessed, and says so if there are none", () => {
    const one = { 1: { id: "1", name: "curl", version: "1", kind: "BINARY" } } as const;

    expect([...indexFooter(coverageOf(), one)]).toEqual([
      "coverage: complete, 1 of 1 layer read, 1 package in 0 databases",
    ]);
    expect([...indexFooter(coverageOf(), {})]).toEqual([
      "coverage: complete, 1 of 1 layer read, 0 packages in 0 databases",
      "  no known package: neither a distribution's packages nor evidence of others",
    ]);
  });

  it("names each kind that is not assessed, with the number of pieces of evidence and the first place", () => {
    const coverage = coverageOf(
      { kind: "java", count: 1, evidence: [{ path: "app/lib/log4j-core.jar", layer }] },
      {
        kind: "npm",
        count: 7,
        evidence: [
          { path: "app/node_modules/a", layer },
          { path: "app/node_modules/b", layer },
        ],
      },
      { kind: "go", count: 2, evidence: [] },
    );

    expect([...indexFooter(coverage, {})]).toEqual([
      "coverage: partial, 1 of 1 layer read, 0 packages in 0 databases",
      "not assessed: packages of these kinds, by how many pieces of evidence there are",
      "  7 npm (first: app/node_modules/a)",
      "  2 go",
      "  1 java (app/lib/log4j-core.jar)",
      "  all of them, with their evidence: -o json",
    ]);
  });

  it("has a line for each of the five most frequent kinds, none wider than a terminal", () => {
    const kinds = ["go", "java", "npm", "php", "python", "ruby", "rust"] as const;
    const evidence = [{ path: `${"deep/".repeat(40)}end.jar`, layer }];
    const lines = [
      ...indexFooter(coverageOf(...kinds.map((kind, index) => ({ kind, count: index + 1, evidence }))), {}),
    ];

    expect(lines.map((line) => line.trim().split(" ", 2).join(" ")).slice(2)).toEqual([
      "7 rust",
      "6 ruby",
      "5 python",
      "4 php",
      "3 npm",
      "and 2",
      "all of",
    ]);
    expect(lines.at(2)).toMatch(/^ {2}7 rust \(first: ….*deep\/end\.jar\)$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("writes no control characters of a path to the terminal", () => {
    const coverage = coverageOf({ kind: "java", count: 1, evidence: [{ path: "app/\u001b[2Jx.jar", layer }] });

    expect([...indexFooter(coverage, {})].join("\n")).not.toContain("\u001b");
  });
});

describe("scanFooter", () => {
  const reportOf = (coverage: Coverage): VulnerabilityReport => ({
    manifestDigest: layer,
    packages: {},
    distributions: {},
    repositories: {},
    environments: {},
    vulnerabilities: {},
    packageVulnerabilities: {},
    undecided: [],
    suppressed: [],
    enrichments: {},
    enrichers: [],
    endsOfLife: [],
    feeds: [],
    coverage,
  });

  it.each<[string, Coverage, string]>([
    ["nothing has any", coverageOf(), "no package is of a distribution or language that has them"],
    [
      "a fact is missing",
      { ...coverageOf(), undecided: [{ fact: "group", packageIds: ["1"] }] },
      "facts are not known without which they cannot be looked up",
    ],
    [
      "the distribution is not known",
      { ...coverageOf(), undecided: [{ fact: "ecosystem", packageIds: ["1"] }] },
      "no package is of a distribution or language that has them",
    ],
    [
      "nothing was assessed",
      coverageOf({ kind: "go", count: 1, evidence: [] }),
      "no package was found by which they are looked up",
    ],
  ])("says why no advisory was looked up: %s", (_, coverage, reason) => {
    expect([...scanFooter(reportOf(coverage), [])].at(-1)).toBe(`advisories: none, as ${reason}`);
  });
});
