/** CVSS vectors of all versions, and their scores. */
export { cvssScore, cvssScores, cvssSeverity } from "../model/cvss/score.ts";
export { type Cvss, type CvssScores, parseCvss } from "../model/cvss/vector.ts";
