import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cvssScore, cvssScores, cvssSeverity } from "./score.ts";
import { macroVectorTenths } from "./score-v4.ts";
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

/**
 * The scores of the 270 macro vectors of CVSS 4.0, in tenths: a row for the levels of EQ1, EQ2 and EQ3, in it the levels of EQ4, EQ5 and EQ6. Where EQ3 is 2,
 * EQ6 is never 0.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
const macroVectors = `
100 99 98 95 95 92 100 96 93 87 91 81 93 90 89 80 81 68
98 95 95 92 90 84 93 92 89 81 81 65 88 80 78 70 69 48
92 82 72 79 69 50 69 55 27
99 97 95 92 92 85 95 91 90 83 84 71 92 81 82 71 72 53
95 93 92 85 85 73 92 82 80 72 70 59 84 70 71 52 50 30
86 75 52 71 52 29 63 29 17
98 95 94 87 91 81 94 89 86 74 77 64 87 75 74 63 63 49
94 89 88 77 76 67 86 76 74 58 59 50 72 57 57 52 52 25
83 70 54 65 58 26 53 21 13
95 90 88 76 76 70 90 77 75 62 61 53 77 66 68 59 52 30
89 78 76 67 62 58 74 59 57 57 47 23 61 52 57 29 24 16
71 59 30 58 26 15 23 13 6
93 87 86 72 75 58 86 74 74 61 56 34 70 54 52 40 40 22
85 75 74 55 62 51 72 57 55 41 46 19 53 36 34 19 19 8
64 51 20 47 21 11 24 9 4
88 75 73 53 60 50 73 55 59 40 41 20 54 43 45 22 20 11
75 55 58 45 40 21 61 51 48 18 20 9 46 18 17 7 8 2
53 24 14 24 12 5 10 3 1`
  .trim()
  .split("\n")
  .map((row) => row.split(" ").map(Number));

describe("macroVectorTenths", () => {
  it.each(macroVectors.map((scores, row) => [row, scores] as const))(
    "has row %i of the specification",
    (row, scores) => {
      const [eq1, eq2, eq3] = [row / 6, (row / 3) % 2, row % 3].map(Math.floor) as [number, number, number];
      const impacts = eq3 === 2 ? [4] : [2 * eq3, 2 * eq3 + 1];

      const found = [0, 1, 2].flatMap((eq4) =>
        [0, 1, 2].flatMap((eq5) => impacts.map((impact) => macroVectorTenths([eq1, eq2, impact, eq4, eq5]))),
      );

      expect(found).toEqual(scores);
    },
  );
});
