import { testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import { cveEnricher, cveRatingsEnricher } from "./enricher.ts";

const [v31, v40] = [
  { vectorString: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", baseScore: 9.8 },
  { vectorString: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", baseScore: 8.7 },
];

const cna = {
  providerMetadata: { orgId: "1", shortName: "vendor" },
  title: "An overflow",
  descriptions: [
    { lang: "de", value: "Ein Überlauf" },
    { lang: "en-US", value: "An overflow in a" },
  ],
  problemTypes: [
    {
      descriptions: [
        { cweId: "CWE-79", description: "CWE-79 XSS" },
        { description: "CWE-125 Out-of-bounds" },
        { description: "n/a" },
      ],
    },
  ],
  metrics: [{ format: "CVSS", cvssV4_0: v40 }, { other: { type: "ssvc" } }],
  references: [{ url: "https://a.example/1" }, { url: "ftp://a.example/2" }],
};
const adp = {
  providerMetadata: { orgId: "2" },
  metrics: [{ cvssV3_1: v31 }],
  references: [{ url: "https://a.example/1" }],
};

const recordOf = (containers: object, metadata: object = {}) =>
  JSON.stringify({
    cveMetadata: { cveId: "CVE-2024-0001", state: "PUBLISHED", assignerShortName: "vendor", ...metadata },
    containers,
  });

async function read(document: string) {
  const items = await itemsOf(cveEnricher.updater, feedReaderOf({ "": document }));
  const records = items.flatMap((item): EnrichmentRecord[] => (item.kind === "item" ? [item.item] : []));
  const problems = items.flatMap((item) => (item.kind === "problem" ? [item.message] : []));
  const advisory = testAdvisory({ id: "a" });
  return {
    facts: cveEnricher.enrich(advisory, records),
    ratings: cveRatingsEnricher.enrich(advisory, records),
    problems,
  };
}

describe("cveEnricher and cveRatingsEnricher", () => {
  it("report the facts of a record, and each score with its source", async () => {
    expect(await read(recordOf({ cna, adp: [adp] }))).toEqual({
      facts: [
        {
          cve: "CVE-2024-0001",
          state: "PUBLISHED",
          assigner: "vendor",
          title: "An overflow",
          description: "An overflow in a",
          cwes: ["CWE-79", "CWE-125"],
          references: ["https://a.example/1"],
        },
      ],
      ratings: [
        { by: "cna", source: "vendor", name: "CVE-2024-0001", severity: "High", text: v40.vectorString, score: 8.7 },
        { by: "adp", source: "2", name: "CVE-2024-0001", severity: "Critical", text: v31.vectorString, score: 9.8 },
      ],
      problems: [],
    });
  });

  it("report that a record was rejected, and why", async () => {
    const rejected = { ...cna, rejectedReasons: [{ lang: "en", value: "not a flaw" }] };

    const { facts, ratings } = await read(recordOf({ cna: rejected }, { state: "REJECTED" }));

    expect(facts).toMatchObject([{ state: "REJECTED", description: "not a flaw" }]);
    expect(ratings).toBeUndefined();
  });

  it.each([
    ["a vector", { ...cna, metrics: [{ cvssV3_1: { vectorString: "CVSS:3.1/x", baseScore: 1 } }, { cvssV3_1: v31 }] }],
    ["a score", { ...cna, metrics: [{ cvssV3_1: { ...v31, baseScore: 11 } }, { cvssV3_1: v31 }] }],
  ])("leave out %s that is malformed, and keep the others", async (_, container) => {
    const { ratings, problems } = await read(recordOf({ cna: container }));

    expect(ratings).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it("leave out a malformed publisher", async () => {
    const { ratings, problems } = await read(recordOf({ cna, adp: [7] }));

    expect(ratings).toHaveLength(1);
    expect(problems.length).toBeGreaterThan(0);
  });

  it.each([
    ["another id", recordOf({ cna }, { cveId: "GHSA-1" })],
    ["another state", recordOf({ cna }, { state: "RESERVED" })],
    ["no publisher", JSON.stringify({ cveMetadata: { cveId: "CVE-2024-0001", state: "PUBLISHED" } })],
  ])("leave out a record with %s", async (_, document) => {
    const { facts, problems } = await read(document);

    expect(facts).toEqual([]);
    expect(problems).toHaveLength(1);
  });

  it("refuse a folder without records", async () => {
    await expect(
      itemsOf(cveEnricher.updater, feedReaderOf({ "a.json": "{}" }, { layout: "folder" })),
    ).rejects.toMatchObject({
      code: "malformed_feed",
    });
  });
});
