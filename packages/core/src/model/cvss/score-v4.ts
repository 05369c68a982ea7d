/**
 * The score of CVSS 4.0. A vector belongs to a macro vector, whose score is in a table made by experts. The score of the vector is
 * interpolated towards the next lower macro vectors, by its distance from the worst vector of its macro vector in five dimensions.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
import type { CvssScores } from "./cvss-scores.ts";
import { cvssMetrics } from "./metrics.ts";
import { type Cvss, withGroups } from "./vector.ts";

/** The scores of a vector of CVSS 4.0. */
export function scoreVersion4(cvss: Cvss): CvssScores {
  return { base: scoreOf(withGroups(cvss, ["base"])), overall: scoreOf(cvss) };
}

/** The effective value of a metric: the modified metric's, else the base metric's, else the worst. */
type Effective = (name: string) => string;

/** The levels of the six equivalence classes, 0 is worst. */
type Levels = readonly [eq1: number, eq2: number, eq3: number, eq4: number, eq5: number, eq6: number];

function scoreOf({ metrics }: Cvss): number {
  const effective: Effective = (name) => metrics.get(`M${name}`) ?? metrics.get(name) ?? (name === "E" ? "A" : "H");
  if (["VC", "VI", "VA", "SC", "SI", "SA"].every((name) => effective(name) === "N")) return 0;
  const levels = levelsOf(effective);
  return interpolate(scoreOfLevels(levels) ?? 0, dimensionsOf(levels, effective));
}

/** The level of each equivalence class. */
function levelsOf(effective: Effective): Levels {
  const is = (name: string, value: string): boolean => effective(name) === value;
  const reach = [is("AV", "N"), is("PR", "N"), is("UI", "N")];
  const eq1 = reach.every(Boolean) ? 0 : reach.some(Boolean) && !is("AV", "P") ? 1 : 2;
  const eq2 = is("AC", "L") && is("AT", "N") ? 0 : 1;
  const eq3 = is("VC", "H") && is("VI", "H") ? 0 : is("VC", "H") || is("VI", "H") || is("VA", "H") ? 1 : 2;
  const subsequentHigh = is("SC", "H") || is("SI", "H") || is("SA", "H");
  const eq4 = is("SI", "S") || is("SA", "S") ? 0 : subsequentHigh ? 1 : 2;
  const eq5 = ["A", "P", "U"].indexOf(effective("E"));
  const required = ["C", "I", "A"].some((name) => is(`${name}R`, "H") && is(`V${name}`, "H"));
  return [eq1, eq2, eq3, eq4, eq5, required ? 0 : 1];
}

/** In tenths. Undefined where there is no such macro vector. */
function scoreOfLevels(levels: readonly number[]): number | undefined {
  return macroVectorScores.get(levels.join(""));
}

/** One dimension in which a vector can be less severe than the worst of its macro vector. */
interface Dimension {
  /** The score of the next lower macro vector, in tenths; undefined where this is the lowest. */
  readonly nextScore: number | undefined;
  /** Steps from the worst vector to this one. */
  readonly distance: number;
  /** Steps from the worst vector to the next lower macro vector. */
  readonly depth: number;
}

function dimensionsOf(levels: Levels, effective: Effective): readonly Dimension[] {
  const [eq1, eq2, eq3, eq4, , eq6] = levels;
  const next = (eq: number) => scoreOfLevels(levels.map((level, at) => (at === eq - 1 ? level + 1 : level)));
  // EQ3 and EQ6 are one dimension; of two possible next macro vectors, the one with the higher score counts.
  const nextImpact = [next(3), next(6)].filter((score) => score !== undefined);
  return [
    { nextScore: next(1), ...positions(effective, "AV PR UI", classes.eq1[eq1]) },
    { nextScore: next(2), ...positions(effective, "AC AT", classes.eq2[eq2]) },
    {
      nextScore: nextImpact.length === 0 ? undefined : Math.max(...nextImpact),
      ...positions(effective, "VC VI VA CR IR AR", classes.eq3eq6[`${eq3}${eq6}`]),
    },
    { nextScore: next(4), ...positions(effective, "SC SI SA", classes.eq4[eq4]) },
    { nextScore: next(5), distance: 0, depth: 1 },
  ];
}

/** The steps from the worst vector of all to the worst vectors of a class, which are the same for each of them, and the depth of the class in steps. */
type EquivalenceClass = readonly [start: number, depth: number];

/** The classes by level, from the worst vectors and depths that the specification lists. */
const classes: Readonly<Record<"eq1" | "eq2" | "eq4", readonly EquivalenceClass[]>> & {
  /** By the levels of EQ3 and EQ6. */
  readonly eq3eq6: Readonly<Record<string, EquivalenceClass>>;
} = {
  eq1: [
    [0, 1],
    [1, 4],
    [3, 5],
  ],
  eq2: [
    [0, 1],
    [1, 2],
  ],
  eq3eq6: { "00": [0, 7], "01": [3, 6], "10": [1, 8], "11": [3, 8], "21": [3, 10] },
  eq4: [
    [0, 6],
    [2, 5],
    [5, 4],
  ],
};

function positions(
  effective: Effective,
  names: string,
  [start, depth]: EquivalenceClass = [0, 1],
): Omit<Dimension, "nextScore"> {
  const steps = names.split(" ").map((name) => stepsOf(name, effective(name)));
  return { distance: steps.reduce((sum, step) => sum + step, 0) - start, depth };
}

/** Steps of a metric's value from its worst one. The worst value of SI and SA exists only in their modified forms. */
function stepsOf(name: string, value: string): number {
  const modified = cvssMetrics["4.0"].find((metric) => metric.name === `M${name}`);
  const metric = modified ?? cvssMetrics["4.0"].find((found) => found.name === name);
  return metric?.values.indexOf(value) ?? 0;
}

/** A common multiple of the depths: sums of fractions remain whole numbers, so rounding is exact. */
const unit = 840;

/** Subtracts the mean of the reductions of all dimensions; rounds half up to tenths. */
function interpolate(tenths: number, dimensions: readonly Dimension[]): number {
  const lower = dimensions.filter(({ nextScore }) => nextScore !== undefined);
  const count = Math.max(1, lower.length);
  const reductions = lower.map(
    ({ nextScore = tenths, distance, depth }) => (tenths - nextScore) * distance * (unit / depth),
  );
  const total = tenths * count * unit - reductions.reduce((sum, part) => sum + part, 0);
  return Math.floor((2 * total + count * unit) / (2 * count * unit)) / 10;
}

/** The columns of {@link rows}: the levels of EQ4, EQ5 and EQ6. */
const columns = "000 001 010 011 020 021 100 101 110 111 120 121 200 201 210 211 220 221".split(" ");

/**
 * The scores of the 270 macro vectors of CVSS 4.0, in tenths, by the levels of EQ1, EQ2 and EQ3. Where EQ3 is 2, EQ6 is never 0.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
const rows = [
  "000: 100 99 98 95 95 92 100 96 93 87 91 81 93 90 89 80 81 68",
  "001: 98 95 95 92 90 84 93 92 89 81 81 65 88 80 78 70 69 48",
  "002: - 92 - 82 - 72 - 79 - 69 - 50 - 69 - 55 - 27",
  "010: 99 97 95 92 92 85 95 91 90 83 84 71 92 81 82 71 72 53",
  "011: 95 93 92 85 85 73 92 82 80 72 70 59 84 70 71 52 50 30",
  "012: - 86 - 75 - 52 - 71 - 52 - 29 - 63 - 29 - 17",
  "100: 98 95 94 87 91 81 94 89 86 74 77 64 87 75 74 63 63 49",
  "101: 94 89 88 77 76 67 86 76 74 58 59 50 72 57 57 52 52 25",
  "102: - 83 - 70 - 54 - 65 - 58 - 26 - 53 - 21 - 13",
  "110: 95 90 88 76 76 70 90 77 75 62 61 53 77 66 68 59 52 30",
  "111: 89 78 76 67 62 58 74 59 57 57 47 23 61 52 57 29 24 16",
  "112: - 71 - 59 - 30 - 58 - 26 - 15 - 23 - 13 - 6",
  "200: 93 87 86 72 75 58 86 74 74 61 56 34 70 54 52 40 40 22",
  "201: 85 75 74 55 62 51 72 57 55 41 46 19 53 36 34 19 19 8",
  "202: - 64 - 51 - 20 - 47 - 21 - 11 - 24 - 9 - 4",
  "210: 88 75 73 53 60 50 73 55 59 40 41 20 54 43 45 22 20 11",
  "211: 75 55 58 45 40 21 61 51 48 18 20 9 46 18 17 7 8 2",
  "212: - 53 - 24 - 14 - 24 - 12 - 5 - 10 - 3 - 1",
];

/** Scores in tenths by macro vector: the levels of EQ1 to EQ6 as six digits. */
export const macroVectorScores: ReadonlyMap<string, number> = new Map(rows.flatMap(scoresOfRow));

function scoresOfRow(row: string): readonly (readonly [macroVector: string, tenths: number])[] {
  const [first = "", scores = ""] = row.split(": ");
  return scores
    .split(" ")
    .flatMap((tenths, at) => (tenths === "-" ? [] : [[`${first}${columns[at]}`, Number(tenths)]]));
}
