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
function scoreOfLevels(levels: Levels): number | undefined {
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
  const [eq1, eq2, eq3, eq4, eq5, eq6] = levels;
  const next = (...changed: Levels): number | undefined => scoreOfLevels(changed);
  return [
    { nextScore: next(eq1 + 1, eq2, eq3, eq4, eq5, eq6), ...positions(effective, "AV PR UI", classes.eq1[eq1]) },
    { nextScore: next(eq1, eq2 + 1, eq3, eq4, eq5, eq6), ...positions(effective, "AC AT", classes.eq2[eq2]) },
    { nextScore: nextImpact(levels), ...positions(effective, "VC VI VA CR IR AR", classes.eq3eq6[`${eq3}${eq6}`]) },
    { nextScore: next(eq1, eq2, eq3, eq4 + 1, eq5, eq6), ...positions(effective, "SC SI SA", classes.eq4[eq4]) },
    { nextScore: next(eq1, eq2, eq3, eq4, eq5 + 1, eq6), distance: 0, depth: 1 },
  ];
}

/** EQ3 and EQ6 are one dimension; of two possible next macro vectors, the one with the higher score counts. */
function nextImpact([eq1, eq2, eq3, eq4, eq5, eq6]: Levels): number | undefined {
  const candidates = [
    scoreOfLevels([eq1, eq2, eq3 + 1, eq4, eq5, eq6]),
    scoreOfLevels([eq1, eq2, eq3, eq4, eq5, eq6 + 1]),
  ].filter((score) => score !== undefined);
  return candidates.length === 0 ? undefined : Math.max(...candidates);
}

/** The beginning and depth of a class, in steps of its metrics. */
interface EquivalenceClass {
  /** Steps from the worst vector of all to the worst vectors of the class; the same for each of them. */
  readonly start: number;
  readonly depth: number;
}

/** The classes by level, from the worst vectors and depths that the specification lists. */
const classes = {
  eq1: [
    { start: 0, depth: 1 },
    { start: 1, depth: 4 },
    { start: 3, depth: 5 },
  ],
  eq2: [
    { start: 0, depth: 1 },
    { start: 1, depth: 2 },
  ],
  eq3eq6: {
    "00": { start: 0, depth: 7 },
    "01": { start: 3, depth: 6 },
    "10": { start: 1, depth: 8 },
    "11": { start: 3, depth: 8 },
    "21": { start: 3, depth: 10 },
  } as Readonly<Record<string, EquivalenceClass>>,
  eq4: [
    { start: 0, depth: 6 },
    { start: 2, depth: 5 },
    { start: 5, depth: 4 },
  ],
} as const;

function positions(
  effective: Effective,
  names: string,
  found: EquivalenceClass | undefined,
): Omit<Dimension, "nextScore"> {
  const { start, depth } = found ?? { start: 0, depth: 1 };
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
