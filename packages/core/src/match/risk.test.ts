import { describe, expect, it } from "vitest";
import { epssType, kevType } from "../enrichers/enrichment-types.ts";
import type { Json } from "../model/json-value.ts";
import type { Vulnerability } from "./report.ts";
import { compareRisk, missingRiskFacts, type Risk, risksOf } from "./risk.ts";

function vulnerability(id: string, more: Partial<Vulnerability> = {}): Vulnerability {
  return {
    id,
    updater: "debian",
    name: `CVE-2024-000${id}`,
    aliases: [],
    links: [],
    normalizedSeverity: "High",
    package: { id: `vulnerability-${id}`, name: "a", version: "", kind: "SOURCE" },
    ...more,
  };
}

function risks(enrichments: Record<string, readonly Json[]>, ...found: readonly Vulnerability[]) {
  return Object.fromEntries(
    risksOf({ enrichments, vulnerabilities: Object.fromEntries(found.map((each) => [each.id, each])) }),
  );
}

describe("risksOf", () => {
  it("reads what enrichments say of each vulnerability", () => {
    const enrichments = {
      [kevType]: [{ "1": [{ cve: "CVE-2024-0001" }] }],
      [epssType]: [
        {
          "1": [
            { epss: 0.1, percentile: 0.5 },
            { epss: 0.9, percentile: 0.99 },
          ],
        },
      ],
    };

    expect(risks(enrichments, vulnerability("1", { fixedInVersion: "2" }), vulnerability("2"))).toEqual({
      "1": { isExploited: true, epss: { probability: 0.9, percentile: 0.99 }, severity: "High", hasFix: true },
      "2": { isExploited: false, severity: "High", hasFix: false },
    });
  });

  it("says of which vulnerabilities exploits cannot be looked up", () => {
    const named = vulnerability("1", { name: "GHSA-a-b-c", aliases: ["CVE-2024-1234"] });
    const linked = vulnerability("2", { name: "GHSA-a-b-c", links: ["https://a.example/cve_2024_1234.html"] });
    const [unnamed, known] = ["3", "4"].map((id) => vulnerability(id, { name: "TEMP-0841856-B18BAF" }));
    const enrichments = { [kevType]: [{ "4": [{ cve: "CVE-2024-0004" }] }] };

    const found = risks(enrichments, named, linked, unnamed as Vulnerability, known as Vulnerability);

    expect(Object.keys(found).filter((id) => found[id]?.withoutCve)).toEqual(["3"]);
  });

  it("takes the score of the first rating that has one, else that of its own vector", () => {
    const rating = { by: "nvd", source: "nvd@nist.gov", name: "CVE-2024-0001", severity: "High" } as const;
    const rated = vulnerability("1", { ratings: [rating, { ...rating, score: 8.1 }, { ...rating, score: 9 }] });
    const own = vulnerability("2", { severity: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H" });

    expect(risks({}, rated, own)).toMatchObject({ "1": { score: 8.1 }, "2": { score: 7.5 } });
  });

  it.each([[[]], [[[]]], [[7]], [[{ "1": 7 }]], [[{ "1": [7, { epss: "x", percentile: 1 }] }]]])(
    "takes nothing from a report that says %j",
    (records) => {
      expect(risks({ [epssType]: records as Json[] }, vulnerability("1"))["1"]?.epss).toBeUndefined();
    },
  );
});

describe("compareRisk", () => {
  const plain: Risk = { isExploited: false, severity: "Medium", hasFix: false };
  const likely = { probability: 0.1, percentile: 0.9 };
  const unlikely = { probability: 0.01, percentile: 0.5 };

  it.each([
    ["an exploit before a likely one", { isExploited: true }, { epss: likely, severity: "Critical" }],
    [
      "a likely exploit before an unlikely one",
      { epss: likely, severity: "Low" },
      { epss: unlikely, severity: "Critical" },
    ],
    ["an unlikely exploit before an unknown one", { epss: unlikely, severity: "Low" }, { severity: "Critical" }],
    ["the worse severity", { severity: "High" }, { severity: "Medium", score: 9, hasFix: true }],
    ["the higher score of one severity", { score: 6.9 }, { score: 4, hasFix: true }],
    ["a score before none", { score: 4 }, { hasFix: true }],
    ["what has a fix", { hasFix: true }, {}],
  ] as const)("puts first %s", (_, first, second) => {
    expect(compareRisk({ ...plain, ...first }, { ...plain, ...second })).toBeLessThan(0);
    expect(compareRisk({ ...plain, ...second }, { ...plain, ...first })).toBeGreaterThan(0);
  });

  it("is 0 for equal risks", () => {
    expect(compareRisk(plain, { ...plain })).toBe(0);
  });
});

describe("missingRiskFacts", () => {
  const [kev, epss] = [
    { enricher: "kev", type: kevType },
    { enricher: "epss", type: epssType },
  ];
  const known = { [kevType]: [{ "1": [{ cve: "CVE-2024-0001" }] }] };

  it.each([
    ["nothing is missing with both", { enrichers: [kev, epss].map((each) => ({ ...each, loaded: true })) }, []],
    [
      "what is not loaded is missing",
      {
        enrichers: [
          { ...kev, loaded: true },
          { ...epss, loaded: false },
        ],
      },
      ["epss"],
    ],
    ["what the engine does not have is missing", { enrichers: [{ ...epss, loaded: true }] }, ["exploited"]],
    ["a statement counts more than facts", { enrichers: [], enrichments: known }, ["exploited", "epss"]],
    ["another scanner's facts show their data", { enrichments: known }, ["epss"]],
    ["without facts they are missing", { enrichments: { [kevType]: [{}], [epssType]: [] } }, ["exploited", "epss"]],
  ])("%s", (_, report, missing) => {
    expect(missingRiskFacts({ enrichments: {}, ...report })).toEqual(missing);
  });
});
