import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { cvssScores, cvssSeverity } from "../../model/cvss/score.ts";
import { type Cvss, parseCvss } from "../../model/cvss/vector.ts";

/** The severity of an advisory. */
export type AdvisorySeverity = Pick<Advisory, "normalizedSeverity" | "severity">;

/** Of an advisory that says nothing of it. */
export const unknownSeverity: AdvisorySeverity = { normalizedSeverity: "Unknown" };

/** The severity that a CVSS vector says; undefined where it cannot be read: another source of a severity is asked then. */
export function vectorSeverity(vector: string): AdvisorySeverity | undefined {
  try {
    const cvss = parseCvss(vector);
    return { severity: vector, normalizedSeverity: cvssSeverity(cvssScores(cvss).overall, cvss.version) };
  } catch (error) {
    if (error instanceof ScanError && error.code === "malformed_cvss") return undefined;
    throw error;
  }
}

/** The severity that a CVSS score (`9.8`) says; undefined where that is none. */
export function scoreSeverity(
  score: string | number | undefined,
  version: Cvss["version"],
): AdvisorySeverity | undefined {
  const value = typeof score === "string" && score.trim() !== "" ? Number(score) : score;
  if (typeof value !== "number" || !(value >= 0 && value <= 10)) return undefined;
  return { severity: String(score), normalizedSeverity: cvssSeverity(value, version) };
}
