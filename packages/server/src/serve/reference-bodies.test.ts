import { cvssType, epssType, kevType } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import { fillInventory, fillReport, onlyScores } from "./reference-bodies.ts";

const image = `sha256:${"a".repeat(64)}`;
const none = { id: "", name: "", version: "", kind: "", normalized_version: "", module: "", arch: "", cpe: "" };

describe("fillInventory", () => {
  it("gives every package a source and an environment, with a digest for the layer", () => {
    const report = {
      manifest_hash: image,
      packages: {
        "1": { id: "1", name: "left-pad", version: "1.3.0" },
        "2": { id: "2", name: "six", version: "1.16.0" },
      },
      environments: { "2": [{ package_db: "six" }] },
    };

    const { packages, environments } = fillInventory(fillReport(report)) as Record<string, Record<string, unknown>>;

    expect(Object.values(packages ?? {})).toMatchObject([{ source: none }, { source: none }]);
    const unseen = { package_db: "", introduced_in: image, distribution_id: "", repository_ids: [] };
    expect(environments).toEqual({ "1": [unseen], "2": [{ ...unseen, package_db: "six" }] });
  });

  it("leaves a source that is known", () => {
    const source = { name: "zlib", version: "1.3" };
    const report = { manifest_hash: image, packages: { "1": { name: "zlib1g", source } }, environments: {} };

    expect(fillInventory(fillReport(report))).toMatchObject({ packages: { "1": { source: { ...none, ...source } } } });
  });
});

describe("onlyScores", () => {
  const scores = [{ "1": [{ version: "3.1", vectorString: "CVSS:3.1/AV:N", baseScore: 9.8 }] }];
  const own = { "application/vnd.plimsoll.aliases+json": [{ "1": ["GHSA-1"] }] };

  it.each([
    ["before", { ...own, [cvssType]: scores }],
    ["behind", { [cvssType]: scores, ...own }],
    ["among", { [kevType]: [{ "1": [{}] }], [cvssType]: scores, [epssType]: [{}] }],
  ])("leaves only CVSS scores where others stand %s them", (_, enrichments) => {
    expect(onlyScores({ enrichments })).toEqual({ enrichments: { [cvssType]: scores } });
  });

  it("leaves nothing where there are none", () => {
    expect(onlyScores({ enrichments: own })).toEqual({ enrichments: {} });
  });
});
