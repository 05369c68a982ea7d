/**
 * The equations of CVSS 2.0.
 * @see https://www.first.org/cvss/v2/guide#3-2-Equations
 */
import { type CvssScores, definedScores } from "./cvss-scores.ts";
import type { Cvss } from "./vector.ts";

const impact = { N: 0, P: 0.275, C: 0.66 };
const requirement = { L: 0.5, M: 1, H: 1.51, "": 1 };

/** The number of each metric's value; the empty name is "not defined". */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: impact,
  I: impact,
  A: impact,
  E: { U: 0.85, POC: 0.9, F: 0.95, H: 1, "": 1 },
  RL: { OF: 0.87, TF: 0.9, W: 0.95, U: 1, "": 1 },
  RC: { UC: 0.9, UR: 0.95, C: 1, "": 1 },
  CDP: { N: 0, L: 0.1, LM: 0.3, MH: 0.4, H: 0.5, "": 0 },
  TD: { N: 0, L: 0.25, M: 0.75, H: 1, "": 1 },
  CR: requirement,
  IR: requirement,
  AR: requirement,
};

/** The scores of a vector of CVSS 2.0. */
export function scoreVersion2(cvss: Cvss): CvssScores {
  const weight = (name: string): number => weights[name]?.[cvss.metrics.get(name) ?? ""] ?? Number.NaN;
  const temporalFactor = weight("E") * weight("RL") * weight("RC");
  const baseImpact = 10.41 * (1 - (1 - weight("C")) * (1 - weight("I")) * (1 - weight("A")));
  const required =
    (1 - weight("C") * weight("CR")) * (1 - weight("I") * weight("IR")) * (1 - weight("A") * weight("AR"));
  const adjustedImpact = Math.min(10, 10.41 * (1 - required));
  const exploitability = 20 * weight("AV") * weight("AC") * weight("Au");

  const base = baseScore(baseImpact, exploitability);
  const temporal = roundToTenth(base * temporalFactor);
  const adjusted = roundToTenth(baseScore(adjustedImpact, exploitability) * temporalFactor);
  // With low requirements the equations give a value below 0, which is not a score.
  const environmental = Math.max(0, roundToTenth((adjusted + (10 - adjusted) * weight("CDP")) * weight("TD")));
  return definedScores(cvss, { base, temporal, environmental });
}

function baseScore(impact: number, exploitability: number): number {
  return roundToTenth((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176));
}

/** Rounds half up; the small addition corrects halves that binary fractions cannot represent. */
function roundToTenth(value: number): number {
  return Math.round(value * 10 + 1e-9) / 10;
}
