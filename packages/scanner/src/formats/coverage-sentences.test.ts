import { describe, expect, it } from "vitest";
import { coverageSentences, listStatus } from "./coverage-sentences.ts";
import { sampleImage } from "./fixtures/sample-images.ts";

const image = sampleImage();
const [packageId = "", found] = Object.entries(image.index.packages)[0] ?? [];
const [distributionId = "", distribution] = Object.entries(image.index.distributions)[0] ?? [];
const endsOfLife = [
  { kind: "distribution", distributionId, day: "2026-01-30" },
  { kind: "package", packageId, product: "Padding", release: "1.2", day: "2026-01-31" },
] as const;
const ending = { ...image, vulnerabilities: { ...image.vulnerabilities, endsOfLife } };

describe("coverageSentences", () => {
  it.each([
    ["2026-01-30", []],
    ["2026-01-31", [`${distribution?.prettyName ?? distribution?.name} gets no security fixes since 2026-01-30.`]],
    [
      "2026-02-01",
      [
        `${distribution?.prettyName ?? distribution?.name} gets no security fixes since 2026-01-30.`,
        `Padding 1.2 (${found?.name} ${found?.version}) gets no security fixes since 2026-01-31.`,
      ],
    ],
  ])("says on %s what got its last security fixes before", (today, sentences) => {
    const told = coverageSentences(ending, Date.parse(`${today}T12:00:00Z`));

    expect(told.filter((sentence) => sentence.includes("security fixes"))).toEqual(sentences);
  });
});

it("names the release of a distribution without a pretty name", () => {
  const distributions = { [distributionId]: { id: distributionId, did: "debian", versionId: "7" } };
  const listed = { ...ending, index: { ...ending.index, distributions } };

  expect(coverageSentences(listed, Date.parse("2026-01-31T12:00:00Z"))).toContain(
    "debian 7 gets no security fixes since 2026-01-30.",
  );
});

describe("listStatus", () => {
  const statement = { fact: "statement", packageIds: [packageId] } as const;
  const group = { fact: "group", packageIds: [packageId] } as const;
  const known = { ...image.index.coverage, status: "complete", problems: [], thirdPartyPackages: 0 } as const;
  const feeds = [{ ecosystem: "debian:12", covered: true }];

  it.each([
    ["of which an advisory says nothing", { undecided: [statement] }, feeds, "complete"],
    ["whose group is not known", { undecided: [statement, group] }, feeds, "partial"],
    ["that a third party made, too", { undecided: [statement], thirdPartyPackages: 1 }, feeds, "partial"],
    ["without a feed", { undecided: [statement] }, [{ ecosystem: "debian:12", covered: false }], "partial"],
  ] as const)("counts a list with a package %s", (_, more, covered, expected) => {
    const coverage = { ...known, ...more, status: "partial" } as const;
    const vulnerabilities = { ...image.vulnerabilities, coverage, feeds: covered };

    expect(listStatus({ ...image, index: { ...image.index, coverage: known }, vulnerabilities })).toBe(expected);
  });
});
