import type { AdvisoryRule } from "../model/advisory.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins.ts";
import type { FeedCoverage } from "../ports.ts";
import { type Judgement, keysOfRecord, type MatchResult, matchRecords } from "./match-records.ts";
import { findCve, vulnerabilityNames } from "./vulnerability-names.ts";

/** What is asked: why, or why not. */
export interface Question {
  /** Name of a package or of the source of packages; absent: every package that an advisory of the vulnerability names. */
  readonly packageName?: string;
  /** Name or alias of a vulnerability. */
  readonly vulnerability: string;
}

/** What the answer is looked for in. */
export interface Evidence {
  readonly matchers: readonly Matcher[];
  readonly records: readonly IndexRecord[];
  /** Those found by the keys of the records, as for a report. */
  readonly advisories: readonly AdvisoryRule[];
  readonly feeds: readonly FeedCoverage[];
}

/** The answer, the most telling that any package of the name gives. */
export type Answer =
  | "affected"
  | "undecided"
  | "not-affected"
  /** Feeds speak of the distribution, and none of this vulnerability in this package. */
  | "no-advisory"
  /** No loaded feed speaks of the distribution. */
  | "not-covered"
  /** No matcher is for this kind of package or distribution. */
  | "no-matcher"
  | "no-package";

/** One package of the name, and what was looked at. */
export interface ExplainedRecord {
  readonly record: IndexRecord;
  readonly answer: Answer;
  readonly keys: readonly MatchKey[];
  readonly feeds: readonly FeedCoverage[];
  /** Of this vulnerability, with their steps; those that repeat another come last. */
  readonly judgements: readonly Judgement[];
}

/** Why a package is affected by a vulnerability, or why not. */
export interface Explanation {
  readonly question: Question;
  readonly answer: Answer;
  readonly records: readonly ExplainedRecord[];
}

/** Explains, by matching the packages of the name once more and writing down every step. */
export function explain(question: Question, { matchers, records, advisories, feeds }: Evidence): Explanation {
  const { packageName } = question;
  const asked = packageName === undefined ? records : records.filter((record) => isNamed(record, packageName));
  const matched = matchRecords(matchers, asked, advisories, { trace: true });
  const explained = asked.map((record): ExplainedRecord => {
    const keys = matchers.flatMap((matcher) => keysOfRecord(matcher, record, []));
    const ecosystems = new Set(keys.map(({ ecosystem }) => ecosystem));
    const covered = feeds.filter(({ ecosystem }) => ecosystems.has(ecosystem));
    const judgements = judgementsOf(matched, record, question.vulnerability);
    return { record, keys, feeds: covered, judgements, answer: answerOf(judgements, keys, covered) };
  });
  const told = packageName === undefined ? explained.filter(({ judgements }) => judgements.length > 0) : explained;
  return { question, answer: bestOf(told.length > 0 ? told : explained), records: told };
}

function isNamed({ package: { name, source } }: IndexRecord, asked: string): boolean {
  return name === asked || source?.name === asked;
}

function judgementsOf(matched: MatchResult, record: IndexRecord, vulnerability: string): readonly Judgement[] {
  const name = findCve(vulnerability) ?? vulnerability;
  const all = [...matched.affected, ...matched.undecided, ...matched.notAffected, ...matched.repeated];
  return all.filter(({ record: of, advisory }) => of === record && isAbout(advisory, name));
}

function isAbout(advisory: AdvisoryRule, name: string): boolean {
  return advisory.name === name || advisory.aliases.includes(name) || vulnerabilityNames(advisory).includes(name);
}

const answers: readonly Answer[] = [
  "affected",
  "undecided",
  "not-affected",
  "no-advisory",
  "not-covered",
  "no-matcher",
  "no-package",
];

function answerOf(judgements: readonly Judgement[], keys: readonly MatchKey[], feeds: readonly FeedCoverage[]): Answer {
  const kinds = new Set<Answer>(judgements.map(({ verdict }) => verdict.kind));
  const verdict = answers.find((answer) => kinds.has(answer));
  if (verdict !== undefined) return verdict;
  if (keys.length === 0) return "no-matcher";
  return feeds.some(({ covered }) => covered) ? "no-advisory" : "not-covered";
}

function bestOf(records: readonly ExplainedRecord[]): Answer {
  return answers.find((answer) => records.some((record) => record.answer === answer)) ?? "no-package";
}
