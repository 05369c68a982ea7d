/**
 * The scores of vectors: the equations of CVSS 2.0, and those of CVSS 3.0 and 3.1, which differ in rounding and in the environmental impact.
 * @see https://www.first.org/cvss/v2/guide#3-2-Equations
 * @see https://www.first.org/cvss/v3.0/specification-document#8-CVSS-v3-0-Equations
 * @see https://www.first.org/cvss/v3.1/specification-document#CVSS-v3-1-Equations
 */
import type { Severity } from "../severity.ts";
import { scoreVersion4 } from "./score-v4.ts";
import { type Cvss, type CvssScores, hasGroup, parseCvss, type Weight, weightsOf } from "./vector.ts";

/**
 * All scores of a vector.
 * @example
 * cvssScores(parseCvss("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H")).base; // 9.8
 */
export function cvssScores(cvss: Cvss): CvssScores {
  switch (cvss.version) {
    case "2.0":
      return scoreVersion2(cvss);
    case "3.0":
    case "3.1":
      return scoreVersion3(cvss);
    case "4.0":
      return scoreVersion4(cvss);
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

/** The scores of a vector of CVSS 2.0. */
function scoreVersion2(cvss: Cvss): CvssScores {
  const weight = weightsOf(cvss, "");
  const scoreOf = (impact: number) => {
    const exploitability = 20 * weight("AV") * weight("AC") * weight("Au");
    return roundToTenth((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176));
  };
  const temporalOf = (score: number) => roundToTenth(score * temporalFactor(weight));
  const base = scoreOf(10.41 * joint(weight, () => 1));
  const adjusted = temporalOf(scoreOf(Math.min(10, 10.41 * joint(weight, requirementIn(weight)))));
  // With low requirements the equations give a value below 0, which is not a score.
  const environmental = Math.max(0, roundToTenth((adjusted + (10 - adjusted) * weight("CDP")) * weight("TD")));
  return definedScores(cvss, { base, temporal: temporalOf(base), environmental });
}

/** Rounds half up; the small addition corrects halves that binary fractions cannot represent. */
function roundToTenth(value: number): number {
  return Math.round(value * 10 + 1e-9) / 10;
}

/** The scores of a vector of CVSS 3.0 or 3.1. */
function scoreVersion3(cvss: Cvss): CvssScores {
  const roundUp = cvss.version === "3.0" ? roundUp30 : roundUp31;
  const own = weightsOf(cvss, "");
  const base = roundUp(
    scoreOfImpact(
      own,
      joint(own, () => 1),
      15,
    ),
  );
  const factor = temporalFactor(own);
  const modified = weightsOf(cvss, "M");
  const impact = Math.min(joint(modified, requirementIn(modified)), 0.915);
  const environmental = roundUp(scoreOfImpact(modified, impact, cvss.version === "3.0" ? 15 : 13));
  return definedScores(cvss, {
    base,
    temporal: roundUp(base * factor),
    environmental: roundUp(environmental * factor),
  });
}

/** Privileges count for less where the vulnerability reaches beyond its own component: their numbers there, by those otherwise. */
const privilegesBeyond: Readonly<Record<number, number>> = { 0.62: 0.68, 0.27: 0.5 };

/** A score before it is rounded. @param power 13 in the environmental equation of CVSS 3.1, whose impact is smaller there */
function scoreOfImpact(weight: Weight, joined: number, power: 13 | 15): number {
  const isBeyond = weight("S") === 1;
  const tail = power === 13 ? joined * 0.9731 : joined;
  const impact = isBeyond ? 7.52 * (joined - 0.029) - 3.25 * (tail - 0.02) ** power : 6.42 * joined;
  if (impact <= 0) return 0;
  const privilege = weight("PR");
  const exploitability =
    8.22 *
    weight("AV") *
    weight("AC") *
    ((isBeyond ? privilegesBeyond[privilege] : undefined) ?? privilege) *
    weight("UI");
  return Math.min((isBeyond ? 1.08 : 1) * (impact + exploitability), 10);
}

/** Rounds up to one decimal, tolerating errors of binary fractions. */
function roundUp30(value: number): number {
  return Math.max(0, Math.ceil(value * 10 - 1e-9)) / 10;
}

/** Rounds to five decimals first, then up to one decimal. */
function roundUp31(value: number): number {
  const hundredThousandths = Math.round(value * 100_000);
  if (hundredThousandths % 10_000 === 0) return hundredThousandths / 100_000;
  return (Math.floor(hundredThousandths / 10_000) + 1) / 10;
}

/** The impact on confidentiality, integrity and availability together. @param requirement how much each of them counts */
function joint(weight: Weight, requirement: Weight): number {
  const [c = 0, i = 0, a = 0] = ["C", "I", "A"].map((name) => 1 - weight(name) * requirement(name));
  return 1 - c * i * a;
}

function requirementIn(weight: Weight): Weight {
  return (name) => weight(`${name}R`);
}

function temporalFactor(weight: Weight): number {
  return weight("E") * weight("RL") * weight("RC");
}

/** The scores of a vector of CVSS 2 or 3: those for which it has metrics. */
function definedScores(
  cvss: Cvss,
  { base, temporal, environmental }: Readonly<Record<"base" | "temporal" | "environmental", number>>,
): CvssScores {
  const hasEnvironmental = hasGroup(cvss, "environmental");
  return {
    base,
    temporal: hasGroup(cvss, "temporal") ? temporal : undefined,
    environmental: hasEnvironmental ? environmental : undefined,
    overall: hasEnvironmental ? environmental : temporal,
  };
}
