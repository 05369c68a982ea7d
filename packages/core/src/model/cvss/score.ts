/**
 * The scores of vectors: the equations of CVSS 2.0, and those of CVSS 3.0 and 3.1, which differ in rounding and in the environmental impact.
 * @see https://www.first.org/cvss/v2/guide#3-2-Equations
 * @see https://www.first.org/cvss/v3.0/specification-document#8-CVSS-v3-0-Equations
 * @see https://www.first.org/cvss/v3.1/specification-document#CVSS-v3-1-Equations
 */
import type { Severity } from "../severity.ts";
import type { MetricGroup } from "./metrics.ts";
import { scoreVersion4 } from "./score-v4.ts";
import { type Cvss, type CvssScores, parseCvss, type Weight, weightsOf, withGroup } from "./vector.ts";

/**
 * All scores of a vector.
 * @example
 * cvssScores(parseCvss("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H")).base; // 9.8
 */
export function cvssScores(cvss: Cvss): CvssScores {
  const base = weightsOf(withGroup(cvss, "base"));
  const all = weightsOf(cvss);
  switch (cvss.version) {
    case "2.0":
      return definedScores(cvss, scoresOfVersion2(base, all));
    case "3.0":
    case "3.1":
      return definedScores(cvss, scoresOfVersion3(base, all, cvss.version));
    case "4.0":
      return { base: scoreVersion4(base), overall: scoreVersion4(all) };
  }
}

/**
 * The score of a vector with all its metrics.
 * @throws ScanError `malformed_cvss`
 * @example
 * cvssScore("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"); // 9.8
 */
export function cvssScore(vector: string): number {
  return cvssScores(parseCvss(vector)).overall;
}

/**
 * The normalized severity of a score. In CVSS 3 and 4, a score of 0 is "None", here `Negligible`; CVSS 2 has neither that nor "Critical".
 * @see https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale
 * @see https://nvd.nist.gov/vuln-metrics/cvss
 * @example
 * cvssSeverity(9.8, "3.1"); // "Critical"
 */
export function cvssSeverity(score: number, version: Cvss["version"]): Severity {
  if (version !== "2.0" && score === 0) return "Negligible";
  if (score < 4) return "Low";
  if (score < 7) return "Medium";
  return version === "2.0" || score < 9 ? "High" : "Critical";
}

/** The scores of a vector of CVSS 2 or 3, whether it has metrics for them or not. */
type Scores = readonly [base: number, temporal: number, environmental: number];

/** The scores for which a vector has metrics. */
function definedScores(cvss: Cvss, [base, temporal, environmental]: Scores): CvssScores {
  const has = (group: MetricGroup) => withGroup(cvss, group).metrics.size > 0;
  return {
    base,
    temporal: has("temporal") ? temporal : undefined,
    environmental: has("environmental") ? environmental : undefined,
    overall: has("environmental") ? environmental : temporal,
  };
}

/** The scores of a vector of CVSS 2.0. @param ofBase without any but base metrics */
function scoresOfVersion2(ofBase: Weight, weight: Weight): Scores {
  const scoreOf = (impact: number) => {
    const exploitability = 20 * weight("AV") * weight("AC") * weight("Au");
    return roundToTenth((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176));
  };
  const temporalOf = (score: number) => roundToTenth(score * temporalFactor(weight));
  const base = scoreOf(10.41 * jointImpact(ofBase));
  const adjusted = temporalOf(scoreOf(Math.min(10, 10.41 * jointImpact(weight))));
  // With low requirements the equations give a value below 0, which is not a score.
  const environmental = Math.max(0, roundToTenth((adjusted + (10 - adjusted) * weight("CDP")) * weight("TD")));
  return [base, temporalOf(base), environmental];
}

/** Rounds half up; the small addition corrects halves that binary fractions cannot represent. */
function roundToTenth(value: number): number {
  return Math.round(value * 10 + 1e-9) / 10;
}

/** The scores of a vector of CVSS 3.0 or 3.1. @param ofBase without any but base metrics */
function scoresOfVersion3(ofBase: Weight, weight: Weight, version: "3.0" | "3.1"): Scores {
  const roundUp = version === "3.0" ? roundUp30 : roundUp31;
  const base = roundUp(scoreOfImpact(ofBase, jointImpact(ofBase), "3.0"));
  const modified = scoreOfImpact(weight, Math.min(jointImpact(weight), 0.915), version);
  const factor = temporalFactor(weight);
  return [base, roundUp(base * factor), roundUp(roundUp(modified) * factor)];
}

/** Privileges count for less where the vulnerability reaches beyond its own component: their numbers there, by those otherwise. */
const privilegesBeyond: Readonly<Record<number, number>> = { 0.62: 0.68, 0.27: 0.5 };

/** A score before it is rounded. @param version 3.1 in its environmental equation, whose impact is smaller there; otherwise 3.0 */
function scoreOfImpact(weight: Weight, impact: number, version: "3.0" | "3.1"): number {
  const isBeyond = weight("S") === 1;
  const tail = version === "3.0" ? (impact - 0.02) ** 15 : (impact * 0.9731 - 0.02) ** 13;
  const scoped = isBeyond ? 7.52 * (impact - 0.029) - 3.25 * tail : 6.42 * impact;
  if (scoped <= 0) return 0;
  const own = weight("PR");
  const privileges = isBeyond ? (privilegesBeyond[own] ?? own) : own;
  const exploitability = 8.22 * weight("AV") * weight("AC") * privileges * weight("UI");
  return Math.min((isBeyond ? 1.08 : 1) * (scoped + exploitability), 10);
}

/** Rounds up to one decimal, tolerating errors of binary fractions. */
function roundUp30(value: number): number {
  return Math.max(0, Math.ceil(value * 10 - 1e-9)) / 10;
}

/** Rounds to five decimals first, then up to one decimal. */
function roundUp31(value: number): number {
  return Math.ceil(Math.round(value * 100_000) / 10_000) / 10;
}

/** The impact on confidentiality, integrity and availability together, by how much each of them is required. */
function jointImpact(weight: Weight): number {
  return 1 - ["C", "I", "A"].reduce((rest, name) => rest * (1 - weight(name) * weight(`${name}R`)), 1);
}

function temporalFactor(weight: Weight): number {
  return weight("E") * weight("RL") * weight("RC");
}
