/**
 * The score of CVSS 4.0. A vector belongs to a macro vector, whose score is in a table made by experts. The score of the vector is
 * interpolated towards the next lower macro vectors, by its distance from the worst vector of its macro vector in five dimensions.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
import { type Cvss, type CvssScores, type Weight, weightsOf, withGroups } from "./vector.ts";

/** The scores of a vector of CVSS 4.0. */
export function scoreVersion4(cvss: Cvss): CvssScores {
  return { base: scoreOf(withGroups(cvss, ["base"])), overall: scoreOf(cvss) };
}

/** The scores of a vector, with the steps of each metric from its worst value. The worst value of SI and SA exists only in their modified forms. */
function scoreOf(cvss: Cvss): number {
  const steps = weightsOf(cvss, "M");
  const stepsOf = (names: string) => (names.match(/\w+/g) ?? []).reduce((sum, name) => sum + steps(name), 0);
  if (stepsOf("VC VI VA SC SI SA") === 14) return 0; // no impact at all
  const levels = levelsOf(steps);
  const [eq1, eq2, eq3, eq4, , eq6] = levels;
  const tenths = scoreOfLevels(levels) ?? 0;
  const next = (eq: number) => scoreOfLevels(levels.map((level, at) => (at === eq - 1 ? level + 1 : level)));
  // EQ3 and EQ6 are one dimension; of two possible next macro vectors, the one with the higher score counts.
  const nextImpact = [next(3), next(6)].filter((score) => score !== undefined);
  // Of each dimension: the score of the next lower macro vector, the metrics, and the class of the vector.
  const dimensions = [
    [next(1), "AV PR UI", classes.eq1[eq1]],
    [next(2), "AC AT", classes.eq2[eq2]],
    [nextImpact.length > 0 ? Math.max(...nextImpact) : undefined, "VC VI VA CR IR AR", classes.eq3eq6[2 * eq3 + eq6]],
    [next(4), "SC SI SA", classes.eq4[eq4]],
    [next(5), "", [0, 1]],
  ] as const;
  const reductions = dimensions.flatMap(([score, names, [start, depth] = [0, 1]]) => {
    if (score === undefined) return [];
    return (tenths - score) * (stepsOf(names) - start) * (unit / depth);
  });
  return interpolate(tenths, reductions);
}

/** The levels of the six equivalence classes, 0 is worst. */
type Levels = readonly [eq1: number, eq2: number, eq3: number, eq4: number, eq5: number, eq6: number];

/** The level of each equivalence class. A product is 0 where one of the metrics has its worst value. */
function levelsOf(steps: Weight): Levels {
  const [av, pr, ui] = [steps("AV"), steps("PR"), steps("UI")];
  const [vc, vi, sc] = [steps("VC"), steps("VI"), steps("SC")];
  const [si, sa] = [steps("SI"), steps("SA")];
  const eq1 = av + pr + ui === 0 ? 0 : av * pr * ui === 0 && av < 3 ? 1 : 2;
  const eq2 = steps("AC") + steps("AT") === 0 ? 0 : 1;
  const eq3 = vc + vi === 0 ? 0 : vc * vi * steps("VA") === 0 ? 1 : 2;
  const eq4 = si * sa === 0 ? 0 : sc * (si - 1) * (sa - 1) === 0 ? 1 : 2;
  const required = ["C", "I", "A"].some((name) => steps(`${name}R`) + steps(`V${name}`) === 0);
  return [eq1, eq2, eq3, eq4, steps("E"), required ? 0 : 1];
}

/** In tenths. Undefined where there is no such macro vector. */
function scoreOfLevels(levels: readonly number[]): number | undefined {
  return macroVectorScores.get(levels.join(""));
}

/** The steps from the worst vector of all to the worst vectors of a class, which are the same for each of them, and the depth of the class in steps. */
type EquivalenceClass = readonly [start: number, depth: number];

/** The classes by level, from the worst vectors and depths that the specification lists. Those of EQ3 and EQ6 together: twice the level of EQ3 and that of EQ6. */
const classes: Readonly<Record<"eq1" | "eq2" | "eq3eq6" | "eq4", readonly (EquivalenceClass | undefined)[]>> = {
  eq1: [
    [0, 1],
    [1, 4],
    [3, 5],
  ],
  eq2: [
    [0, 1],
    [1, 2],
  ],
  eq3eq6: [[0, 7], [3, 6], [1, 8], [3, 8], undefined, [3, 10]],
  eq4: [
    [0, 6],
    [2, 5],
    [5, 4],
  ],
};

/** A common multiple of the depths: sums of fractions remain whole numbers, so rounding is exact. */
const unit = 840;

/** Subtracts the mean of the reductions; rounds half up to tenths. */
function interpolate(tenths: number, reductions: readonly number[]): number {
  const count = Math.max(1, reductions.length) * unit;
  const total = reductions.reduce((rest, each) => rest - each, tenths * count);
  return Math.floor((2 * total + count) / (2 * count)) / 10;
}

/**
 * The scores of the 270 macro vectors of CVSS 4.0, in tenths: a row for the levels of EQ1, EQ2 and EQ3, in it the levels of EQ4, EQ5 and EQ6. Where EQ3 is 2,
 * EQ6 is never 0.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
const rows = `
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
53 24 14 24 12 5 10 3 1`;

/** Scores in tenths by macro vector: the levels of EQ1 to EQ6 as six digits. */
export const macroVectorScores: ReadonlyMap<string, number> = new Map(
  rows
    .trim()
    .split("\n")
    .flatMap((text, row) => {
      const scores = text.split(" ");
      return scores.map(
        (tenths, at) => [levelsAt(row, scores.length === 18 ? at : 2 * at + 1), Number(tenths)] as const,
      );
    }),
);

function levelsAt(row: number, column: number): string {
  const levels = [row / 6, (row / 3) % 2, row % 3, column / 6, (column / 2) % 3, column % 2];
  return levels.map(Math.floor).join("");
}
