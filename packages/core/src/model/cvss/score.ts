import type { Severity } from "../severity.ts";
import type { CvssScores } from "./cvss-scores.ts";
import { scoreVersion2 } from "./score-v2.ts";
import { scoreVersion3 } from "./score-v3.ts";
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
