import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { cvssScores, cvssSeverity } from "../../model/cvss/score.ts";
import { type Cvss, parseCvss } from "../../model/cvss/vector.ts";

/** The severity of an advisory. */
export type AdvisorySeverity = Pick<Advisory, "normalizedSeverity" | "severity">;

/** The severity of an advisory that states none. */
export const unknownSeverity: AdvisorySeverity = { normalizedSeverity: "Unknown" };

/** The severity of a CVSS vector; undefined for an invalid vector, so that the caller can use another source. */
export function vectorSeverity(vector: string): AdvisorySeverity | undefined {
  try {
    const cvss = parseCvss(vector);
    return { severity: vector, normalizedSeverity: cvssSeverity(cvssScores(cvss).overall, cvss.version) };
  } catch (error) {
    if (error instanceof ScanError && error.code === "malformed_cvss") return undefined;
    throw error;
  }
}

/** The severity of a CVSS score (`9.8`); undefined for an invalid score. */
export function scoreSeverity(
  score: string | number | undefined,
  version: Cvss["version"],
): AdvisorySeverity | undefined {
  const value = typeof score === "string" && score.trim() !== "" ? Number(score) : score;
  if (typeof value !== "number" || !(value >= 0 && value <= 10)) return undefined;
  return { severity: String(score), normalizedSeverity: cvssSeverity(value, version) };
}
