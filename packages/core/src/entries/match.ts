/** Matching of single records, the explanation of a verdict, and the risk of findings. */
export type { EnrichmentSource } from "../match/enrich.ts";
export type {
  ExplainedRecord,
  Explanation,
  ExplanationAnswer,
  Question,
  StatementOnFinding,
} from "../match/explain.ts";
export { explainReport } from "../match/explain-report.ts";
export { formatExplanation } from "../match/format-explanation.ts";
export { indexRecords } from "../match/index-records.ts";
export type { AffectedVerdict, Judgement, NotAffectedVerdict, UndecidedVerdict } from "../match/judgement.ts";
export { type MatchOptions, type MatchResult, matchRecords } from "../match/match-records.ts";
export type { UndecidedRecord } from "../match/missing-facts.ts";
export { findRange, type RangeFinding } from "../match/range.ts";
export type { MatchFacts } from "../match/records-to-judge.ts";
export { compareRisk, type ExploitScore, type Risk, type RiskSources, risksOf } from "../match/risk.ts";
export type { TraceStep } from "../match/trace.ts";
export type { AdvisoryImport, AdvisoryRange, AdvisoryRule, ArchCondition } from "../model/advisory.ts";
export type { IndexRecord, MatchKey, NotAffectedReason } from "../plugins/matcher.ts";
