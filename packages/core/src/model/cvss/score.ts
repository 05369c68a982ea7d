/**
 * The equations of CVSS 3.0 and 3.1, which differ in rounding and in the environmental impact.
 * @see https://www.first.org/cvss/v3.0/specification-document#8-CVSS-v3-0-Equations
 * @see https://www.first.org/cvss/v3.1/specification-document#CVSS-v3-1-Equations
 */
import type { Severity } from "../severity.ts";
import { type CvssScores, definedScores } from "./cvss-scores.ts";
import { scoreVersion2 } from "./score-v2.ts";
import { scoreVersion4 } from "./score-v4.ts";
import { type Cvss, parseCvss } from "./vector.ts";

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

const impact = { H: 0.56, L: 0.22, N: 0 };
const requirement = { H: 1.5, M: 1, L: 0.5, "": 1 };

/** The number of each metric's value; the empty name is "not defined". */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: impact,
  I: impact,
  A: impact,
  E: { H: 1, F: 0.97, P: 0.94, U: 0.91, "": 1 },
  RL: { U: 1, W: 0.97, T: 0.96, O: 0.95, "": 1 },
  RC: { C: 1, R: 0.96, U: 0.92, "": 1 },
  CR: requirement,
  IR: requirement,
  AR: requirement,
};

/** Privileges count for less where the vulnerability reaches beyond its own component. */
const privileges = {
  unchanged: { N: 0.85, L: 0.62, H: 0.27 },
  changed: { N: 0.85, L: 0.68, H: 0.5 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** The values of an equation. */
interface Equation {
  readonly weight: (name: string) => number;
  readonly scopeChanged: boolean;
  readonly exploitability: number;
  readonly roundUp: (value: number) => number;
}

/** The scores of a vector of CVSS 3.0 or 3.1. */
function scoreVersion3(cvss: Cvss): CvssScores {
  const [own, modified] = [equation(cvss, ""), equation(cvss, "M")];
  const { weight, roundUp } = own;
  const temporalFactor = weight("E") * weight("RL") * weight("RC");
  const base = combine(own, baseImpact(own));
  const temporal = roundUp(base * temporalFactor);
  const environmental = roundUp(combine(modified, environmentalImpact(modified, cvss.version)) * temporalFactor);
  return definedScores(cvss, { base, temporal, environmental });
}

/** With the prefix `M`, modified metrics replace the base metrics that they modify. */
function equation({ version, metrics }: Cvss, prefix: "" | "M"): Equation {
  const effective = (name: string): string => metrics.get(prefix + name) ?? metrics.get(name) ?? "";
  const weight = (name: string): number => weights[name]?.[effective(name)] ?? Number.NaN;
  const scopeChanged = effective("S") === "C";
  const byPrivilege: Readonly<Record<string, number>> = scopeChanged ? privileges.changed : privileges.unchanged;
  const privilege = byPrivilege[effective("PR")] ?? Number.NaN;
  return {
    weight,
    scopeChanged,
    exploitability: 8.22 * weight("AV") * weight("AC") * privilege * weight("UI"),
    roundUp: version === "3.0" ? roundUp30 : roundUp31,
  };
}

function combine({ scopeChanged, exploitability, roundUp }: Equation, impact: number): number {
  if (impact <= 0) return 0;
  return roundUp(Math.min((scopeChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

function baseImpact({ weight, scopeChanged }: Equation): number {
  const iss = 1 - (1 - weight("C")) * (1 - weight("I")) * (1 - weight("A"));
  return scopeChanged ? 7.52 * (iss - 0.029) - 3.25 * (iss - 0.02) ** 15 : 6.42 * iss;
}

function environmentalImpact({ weight, scopeChanged }: Equation, version: Cvss["version"]): number {
  const required = (name: string): number => 1 - weight(name) * weight(`${name}R`);
  const miss = Math.min(1 - required("C") * required("I") * required("A"), 0.915);
  if (!scopeChanged) return 6.42 * miss;
  const tail = version === "3.0" ? (miss - 0.02) ** 15 : (miss * 0.9731 - 0.02) ** 13;
  return 7.52 * (miss - 0.029) - 3.25 * tail;
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
