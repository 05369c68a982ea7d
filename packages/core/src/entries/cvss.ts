/** CVSS vectors of all versions, and their scores. */
export type { CvssScores } from "../model/cvss/cvss-scores.ts";
export { cvssScore, cvssScores, cvssSeverity } from "../model/cvss/score.ts";
export { type Cvss, parseCvss } from "../model/cvss/vector.ts";
