/**
 * The score of CVSS 4.0. A vector belongs to a macro vector, whose score is in a table made by experts. The score of the vector is
 * interpolated towards the next lower macro vectors, by its distance from the worst vector of its macro vector in five dimensions.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
import type { Weight } from "./vector.ts";

/** The score of a vector of CVSS 4.0, by the steps of each metric from its worst value. The worst value of SI and SA exists only in their modified forms. */
export function scoreVersion4(steps: Weight): number {
  const stepsOf = (names: string) => names.split(" ").reduce((sum, name) => sum + steps(name), 0);
  if (stepsOf("VC VI VA SC SI SA") === 14) return 0; // no impact at all
  const levels = levelsOf(steps);
  const tenths = macroVectorTenths(levels);
  const reductions = dimensions.flatMap(([names, classes], at) => {
    const [start, depth, ...next] = classes[levels[at] ?? 0] ?? [0, 1];
    if (next.length === 0) return [];
    const score = Math.max(...next.map((level) => macroVectorTenths(levels.with(at, level))));
    return (tenths - score) * (stepsOf(names) - start) * (unit / depth);
  });
  const count = Math.max(1, reductions.length) * unit;
  const total = reductions.reduce((rest, each) => rest - each, tenths * count);
  return Math.round(total / count) / 10; // halves up
}

/** The level of the vector in each dimension, 0 is worst. A product is 0 where one of the metrics has its worst value. */
function levelsOf(steps: Weight): readonly number[] {
  const [av, pr, ui] = [steps("AV"), steps("PR"), steps("UI")];
  const [vc, vi, sc] = [steps("VC"), steps("VI"), steps("SC")];
  const [si, sa] = [steps("SI"), steps("SA")];
  const eq1 = av + pr + ui === 0 ? 0 : av * pr * ui === 0 && av < 3 ? 1 : 2;
  const eq2 = steps("AC") + steps("AT") === 0 ? 0 : 1;
  const eq3 = vc + vi === 0 ? 0 : vc * vi * steps("VA") === 0 ? 1 : 2;
  const eq4 = si * sa === 0 ? 0 : sc * (si - 1) * (sa - 1) === 0 ? 1 : 2;
  const eq6 = ["C", "I", "A"].some((name) => steps(`${name}R`) + steps(`V${name}`) === 0) ? 0 : 1;
  return [eq1, eq2, Math.min(2 * eq3 + eq6, 4), eq4, steps("E")];
}

/** A class of vectors: the steps from the worst vector of all to its worst vectors, which are the same for each of them, its depth in steps, and the next lower levels. */
type EquivalenceClass = readonly [start: number, depth: number, ...next: number[]];

/**
 * The metrics and the classes of each dimension by level, from the worst vectors and depths that the specification lists. EQ3 and EQ6 are one dimension with
 * five levels: both at their worst, EQ6 lower, EQ3 lower, both lower, and EQ3 at its lowest, where EQ6 is lower, too.
 */
const dimensions: readonly (readonly [names: string, classes: readonly EquivalenceClass[]])[] = [
  [
    "AV PR UI",
    [
      [0, 1, 1],
      [1, 4, 2],
      [3, 5],
    ],
  ],
  [
    "AC AT",
    [
      [0, 1, 1],
      [1, 2],
    ],
  ],
  [
    "VC VI VA CR IR AR",
    [
      [0, 7, 1, 2],
      [3, 6, 3],
      [1, 8, 3],
      [3, 8, 4],
      [3, 10],
    ],
  ],
  [
    "SC SI SA",
    [
      [0, 6, 1],
      [2, 5, 2],
      [5, 4],
    ],
  ],
  [
    "E",
    [
      [0, 1, 1],
      [1, 1, 2],
      [2, 1],
    ],
  ],
];

/** A common multiple of the depths: sums of fractions remain whole numbers, so rounding is exact. */
const unit = 840;

/**
 * The score of a macro vector in tenths.
 * @param levels those of EQ1, EQ2, EQ3 with EQ6, EQ4 and EQ5
 */
export function macroVectorTenths(levels: readonly number[]): number {
  const place = dimensions.reduce((sum, [, classes], at) => sum * classes.length + (levels[at] ?? 0), 0);
  return 133 - scores.charCodeAt(place);
}

/**
 * The scores of the 270 macro vectors, a character each: `!` is 10, `"` is 9.9, and so on. A line for the levels of EQ1 and EQ2; the last levels change first.
 * @see https://www.first.org/cvss/v4.0/specification-document#CVSS-v4-0-Scoring
 */
const scores =
  '!#&!(*(,4"&)%.4+5A#&+(,4-7@&)1)4D5?U)3=6@S@Nj' +
  '"&)&+1)3=$)0*2>4>P&)0)5?1>S(0<3=J?Qg/:Q>QhFht' +
  "#'*'/8.;F&.4,;E:FT'-9/;J=LQ,8B9KSLQl2?ODKkPpx" +
  "&-9+:H8AQ+9?8GPCJg,9G;LVHLm7BKJLnQhu>JgKkvnx\x7f" +
  "(/:/;M?Q].=K;HcO]o0;G=NWPcr:NRL\\rar}ERqVpzm|\x81" +
  "-<I<J\\OXq:PSN]qZoz:K]HUqWt}NXpRs|s~\x83Pmwmy\x80{\x82\x84";
