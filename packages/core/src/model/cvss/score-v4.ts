/**
 * The score of CVSS 4.0. A vector belongs to a macro vector, whose score is in a table made by experts. The score of the vector is
 * interpolated towards the next lower macro vectors, by its distance from the worst vector of its macro vector in five dimensions.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */

import type { CvssScores } from "./cvss-scores.ts";
import { macroVectorScores } from "./macro-vectors.ts";
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
