/** Matching of single records, the explanation of a verdict, and the risk of findings. */
export { explainReport, formatExplanation } from "../match/explain-report.ts";
export { indexRecords } from "../match/index-records.ts";
export type { MatchResult } from "../match/judgement.ts";
export { matchRecords } from "../match/match-records.ts";
export { findRange, type RangeFinding } from "../match/range.ts";
export { compareRisk, risksOf } from "../match/risk.ts";
export type { AdvisoryRule } from "../model/advisory.ts";
export type { IndexRecord } from "../plugins/matcher.ts";
