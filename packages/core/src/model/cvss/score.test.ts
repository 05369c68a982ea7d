import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cvssScore, cvssScores, cvssSeverity } from "./score.ts";
import { parseCvss } from "./vector.ts";

const cases = readFileSync(new URL("score.cases.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" "));

const scoreOf = (text = "-"): number | undefined => (text === "-" ? undefined : Number(text));

describe("cvssScores", () => {
  it.each(cases)("of %s are %s, %s, %s and %s", (vector = "", base, temporal, environmental, overall) => {
    const scores = cvssScores(parseCvss(vector));

    expect([scores.base, scores.temporal, scores.environmental, scores.overall]).toEqual(
      [base, temporal, environmental, overall].map(scoreOf),
    );
  });
});

describe("cvssScore", () => {
  it("counts everything the vector says", () => {
    const base = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N";

    expect([cvssScore(base), cvssScore(`${base}/E:U`)]).toEqual([9.3, 8.1]);
  });
});

describe("cvssSeverity", () => {
  it.each([
    [0, "Low", "Negligible"],
    [0.1, "Low", "Low"],
    [3.9, "Low", "Low"],
    [4, "Medium", "Medium"],
    [6.9, "Medium", "Medium"],
    [7, "High", "High"],
    [8.9, "High", "High"],
    [9, "High", "Critical"],
    [10, "High", "Critical"],
  ] as const)("of %s is %s in 2.0 and %s since 3.0", (score, two, later) => {
    expect(cvssSeverity(score, "2.0")).toBe(two);
    expect([cvssSeverity(score, "3.0"), cvssSeverity(score, "3.1"), cvssSeverity(score, "4.0")]).toEqual([
      later,
      later,
      later,
    ]);
  });
});
