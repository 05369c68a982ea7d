import { coverageEnrichment } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import { coverageHeader, noteUnjudged, reportedCoverage } from "./reported-coverage.ts";

const packages = { "1": { name: "bash" } };
const feed = (ecosystem: string) => ({ ecosystem, covered: true, outdated: false });
const uncovered = (ecosystem: string) => ({ ...feed(ecosystem), covered: false });
const outdated = (ecosystem: string) => ({ ...feed(ecosystem), outdated: true });

describe("coverageHeader", () => {
  it.each([
    [{ status: "complete", feeds: [feed("debian:12")] }, "complete"],
    [{ status: "complete", feeds: [feed("debian:12"), uncovered("npm")] }, 'partial;uncovered="npm"'],
    [{ status: "complete", feeds: [uncovered("a:1"), uncovered("b:2")] }, 'partial;uncovered="a:1 b:2"'],
    [{ status: "complete", feeds: [] }, 'partial;uncovered="unknown"'],
    [{ status: "complete", feeds: [outdated("debian:12")] }, 'complete;outdated="debian:12"'],
    [{ status: "partial", feeds: [feed("npm")], problems: [{}, {}], unassessed: [{}] }, "partial;problems=3"],
    [undefined, 'partial;uncovered="unknown"'],
    [
      { status: "complete", feeds: [uncovered('a"\\\r\nSet-Cookie: x\u00e9')] },
      'partial;uncovered="a????Set-Cookie:?x?"',
    ],
    [{ status: "complete", feeds: [uncovered("x".repeat(2_000))] }, `partial;uncovered="${"x".repeat(1_000)}..."`],
  ])("says what a report could not judge: %j", (coverage, header) => {
    const enrichments = coverage === undefined ? {} : { [coverageEnrichment]: [coverage] };

    expect(coverageHeader(reportedCoverage({ packages, enrichments }))).toBe(header);
  });

  it("is complete for an image without packages", () => {
    const enrichments = { [coverageEnrichment]: [{ status: "complete", feeds: [] }] };

    expect(coverageHeader(reportedCoverage({ packages: {}, enrichments }))).toBe("complete");
  });
});

describe("noteUnjudged", () => {
  it("logs each list of distributions and languages once", () => {
    const lines: unknown[] = [];
    const note = noteUnjudged({ warn: (about: object, event: string) => void lines.push([about, event]) } as never);
    const [alpine, npm] = [
      { manifest: "sha256:a", uncovered: ["alpine:v3.99"] },
      { manifest: "sha256:b", uncovered: ["npm"] },
    ];

    for (const report of [alpine, npm, { ...alpine, manifest: "sha256:c" }]) note(report);

    expect(lines).toEqual([
      [alpine, "report_not_judged"],
      [npm, "report_not_judged"],
    ]);
  });
});
