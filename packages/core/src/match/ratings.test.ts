import { describe, expect, it } from "vitest";
import type { Rater, Rating } from "../model/rating.ts";
import type { Severity } from "../model/severity.ts";
import { sampleAdvisory } from "./fixtures/samples.ts";
import { ratingsOf, shownRating } from "./ratings.ts";

const vector = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H";

function rating(by: Rater, severity: Severity, more: Partial<Rating> = {}): Rating {
  return { by, source: by, name: "CVE-2024-0001", severity, ...more };
}

describe("ratingsOf", () => {
  it("puts the advisory's own first, then those of the distribution, of collections, and of the database", () => {
    const ratings = ratingsOf({
      advisory: sampleAdvisory("wolfi", "a", { updater: "wolfi", severity: "low", normalizedSeverity: "Low" }),
      others: [
        sampleAdvisory("wolfi", "a", { updater: "osv", name: "GHSA-1", severity: vector, normalizedSeverity: "High" }),
        sampleAdvisory("wolfi", "a", { updater: "chainguard", normalizedSeverity: "Medium" }),
        sampleAdvisory("wolfi", "a", { updater: "silent" }),
      ],
      facts: [
        {
          by: "cna",
          source: "a@vendor.example",
          name: "CVE-2024-0001",
          severity: "Critical",
          text: vector,
          score: 9.1,
        },
        { by: "nvd", source: "nvd@nist.gov", name: "CVE-2024-0001", severity: "High" },
      ],
    });

    expect(ratings).toEqual([
      { by: "advisory", source: "wolfi", name: "CVE-2024-0001", severity: "Low", text: "low" },
      { by: "distribution", source: "chainguard", name: "CVE-2024-0001", severity: "Medium" },
      { by: "ecosystem", source: "osv", name: "GHSA-1", severity: "High", text: vector, score: 7.5 },
      { by: "nvd", source: "nvd@nist.gov", name: "CVE-2024-0001", severity: "High" },
      { by: "cna", source: "a@vendor.example", name: "CVE-2024-0001", severity: "Critical", text: vector, score: 9.1 },
    ]);
  });
});

describe("ratingsOf several enrichers", () => {
  const v2 = "AV:N/AC:L/Au:N/C:N/I:N/A:P";
  const fact = (by: Rater, text: string, name = "CVE-2024-0001") => ({ by, source: by, name, severity: "High", text });
  const advisory = sampleAdvisory("wolfi", "a");

  it.each([
    [
      "the database's own before that of who gave out the id",
      [fact("cna", vector), fact("nvd", vector)],
      ["nvd", "cna"],
    ],
    ["who gave out the id before others", [fact("adp", vector), fact("cna", vector)], ["cna", "adp"]],
    ["version 3 of anyone before version 2", [fact("nvd", v2), fact("adp", vector)], ["adp", "nvd"]],
  ])("puts %s", (_, facts, expected) => {
    expect(ratingsOf({ advisory, others: [], facts }).map(({ by }) => by)).toEqual(expected);
  });

  it("keeps what is said of one vulnerability together", () => {
    const other = fact("nvd", vector, "CVE-2024-0002");

    const ratings = ratingsOf({ advisory, others: [], facts: [fact("nvd", vector), other, fact("cna", vector)] });

    expect(ratings.map(({ by, name }) => `${by} ${name}`)).toEqual([
      "nvd CVE-2024-0001",
      "cna CVE-2024-0001",
      "nvd CVE-2024-0002",
    ]);
  });
});

describe("shownRating", () => {
  const [own, distribution, ecosystem] = [
    rating("advisory", "Low"),
    rating("distribution", "Medium"),
    rating("ecosystem", "High"),
  ];
  const [nvd, cna] = [rating("nvd", "Medium"), rating("cna", "Critical")];
  const otherCve = rating("nvd", "High", { name: "CVE-2024-0002" });

  it.each([
    ["none", [], undefined],
    ["the advisory's own", [own, distribution, ecosystem, nvd], own],
    ["another of the distribution", [rating("advisory", "Unknown"), distribution, nvd], distribution],
    ["that of a collection", [ecosystem, nvd], ecosystem],
    ["the database's, whatever others gave to it", [nvd, cna], nvd],
    ["one that others gave to the database", [cna], cna],
    ["that of the worst of several vulnerabilities", [nvd, cna, otherCve], otherCve],
    ["the advisory's own of several vulnerabilities", [own, nvd, otherCve], own],
    ["none where every source says Unknown", [rating("advisory", "Unknown", { text: "not yet assigned" })], undefined],
  ])("is %s", (_, ratings, shown) => {
    expect(shownRating(ratings)).toBe(shown);
  });
});
