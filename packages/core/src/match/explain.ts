import type { AdvisoryRule } from "../model/advisory.ts";
import type { Coverage, Problem, UnassessedPackages } from "../model/index-report.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import type { FeedCoverage } from "../ports.ts";
import type { VexStatement } from "../vex/statement.ts";
import type { AffectedVerdict, Judgement } from "./judgement.ts";
import { keysOfRecord, type MatchResult, matchRecords } from "./match-records.ts";
import { findCve, vulnerabilityNames } from "./vulnerability-names.ts";

/** The question of an explanation: a vulnerability, and optionally a package. */
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
  /** What of the image was looked at and what was not. */
  readonly coverage: Pick<Coverage, "problems" | "unassessed">;
}

/** The answer, the most telling that any package of the name gives. */
export type ExplanationAnswer =
  | "affected"
  | "undecided"
  /** Advisories say that it is affected, and statements of users take that out of the findings. */
  | "suppressed"
  | "not-affected"
  /** Feeds speak of the distribution, and none of this vulnerability in this package. */
  | "no-advisory"
  /** No loaded feed speaks of the distribution. */
  | "not-covered"
  /** No matcher is for this kind of package or distribution. */
  | "no-matcher"
  /** No package of the name was found, and something that could not be read may list it. */
  | "database-damaged"
  /** No package of the name was found, and packages are there that no detector reads. */
  | "not-assessed"
  /** The whole image was looked at, and no package of the name is in it. */
  | "no-package";

/** One package of the name, and what was looked at. */
export interface ExplainedRecord {
  readonly record: IndexRecord;
  readonly answer: ExplanationAnswer;
  readonly keys: readonly MatchKey[];
  readonly feeds: readonly FeedCoverage[];
  /** Of this vulnerability, with their steps; those that repeat another come last. */
  readonly judgements: readonly Judgement[];
  /** Those of the judgements that a report shows as findings. */
  readonly findings: readonly Judgement<AffectedVerdict>[];
  /** What users state of the findings; none unless statements are explained. */
  readonly statements: readonly StatementOnFinding[];
}

/** A user's statement about a finding. */
export interface StatementOnFinding {
  readonly advisory: AdvisoryRule;
  readonly statement: VexStatement;
  /** Whether it is over: then it takes nothing out. */
  readonly isExpired: boolean;
}

/** Why a package is affected by a vulnerability, or why not. */
export interface Explanation {
  readonly question: Question;
  readonly answer: ExplanationAnswer;
  readonly records: readonly ExplainedRecord[];
  /** What could not be read; empty where that cannot change the answer. */
  readonly problems: readonly Problem[];
  /** Packages that were not assessed; empty where that cannot change the answer. */
  readonly unassessed: readonly UnassessedPackages[];
}

/** Explains, by matching the packages of the name once more and writing down every step. */
export function explain(question: Question, { matchers, records, advisories, feeds, coverage }: Evidence): Explanation {
  const { packageName } = question;
  const asked = packageName === undefined ? records : records.filter((record) => isNamed(record, packageName));
  const matched = matchRecords(matchers, { records: asked, advisories }, { trace: true });
  const explained = asked.map((record): ExplainedRecord => {
    const keys = matchers.flatMap((matcher) => keysOfRecord(matcher, record, []));
    const ecosystems = new Set(keys.map(({ ecosystem }) => ecosystem));
    const covered = feeds.filter(({ ecosystem }) => ecosystems.has(ecosystem));
    const judgements = judgementsOf(matched, record, question.vulnerability);
    const findings = matched.affected.filter((judgement) => judgements.includes(judgement));
    const answer = answerOf(judgements, keys, covered);
    return { record, keys, feeds: covered, judgements, findings, statements: [], answer };
  });
  const told = packageName === undefined ? explained.filter(({ judgements }) => judgements.length > 0) : explained;
  const unseen = told.length > 0 ? nothingUnseen : unseenBy(packageName, coverage);
  const answer = explained.length > 0 ? bestOf(told.length > 0 ? told : explained) : absenceOf(unseen);
  return { question, answer, records: told, ...unseen };
}

/** The same question with other answers for its packages. */
export function explanationOf(explanation: Explanation, records: readonly ExplainedRecord[]): Explanation {
  return { ...explanation, records, answer: records.length > 0 ? bestOf(records) : explanation.answer };
}

/** What was not looked at and may hold the package that was asked for. */
type Unseen = Pick<Explanation, "problems" | "unassessed">;

const nothingUnseen: Unseen = { problems: [], unassessed: [] };

/** Where a path of the evidence names the package, only the kinds that do; else all, since any may hold it. */
function unseenBy(packageName: string | undefined, { problems, unassessed }: Evidence["coverage"]): Unseen {
  const naming = unassessed.flatMap((kind) => {
    const evidence = kind.evidence.filter(({ path }) => packageName !== undefined && isNamedIn(path, packageName));
    return evidence.length === 0 ? [] : [{ ...kind, evidence }];
  });
  return naming.length > 0 ? { problems: [], unassessed: naming } : { problems, unassessed };
}

/** Whether a path has the name as a whole segment, or before a version: `lodash/package.json`, `log4j-core-2.14.1.jar`. */
function isNamedIn(path: string, name: string): boolean {
  return `/${path}/`.includes(`/${name}/`) || path.split("/").some((segment) => isNameOf(segment, name));
}

function isNameOf(segment: string, name: string): boolean {
  return (
    segment.startsWith(name) &&
    /^(?:-\d|\.(?:jar|war|gemspec|egg|dist-info|deps\.json))/.test(segment.slice(name.length))
  );
}

function absenceOf({ problems, unassessed }: Unseen): ExplanationAnswer {
  if (problems.length > 0) return "database-damaged";
  return unassessed.length > 0 ? "not-assessed" : "no-package";
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

const answers: readonly ExplanationAnswer[] = [
  "affected",
  "undecided",
  "suppressed",
  "not-affected",
  "no-advisory",
  "not-covered",
  "no-matcher",
  "database-damaged",
  "not-assessed",
  "no-package",
];

function answerOf(
  judgements: readonly Judgement[],
  keys: readonly MatchKey[],
  feeds: readonly FeedCoverage[],
): ExplanationAnswer {
  const kinds = new Set<ExplanationAnswer>(judgements.map(({ verdict }) => verdict.kind));
  const verdict = answers.find((answer) => kinds.has(answer));
  if (verdict !== undefined) return verdict;
  if (keys.length === 0) return "no-matcher";
  return feeds.some(({ covered }) => covered) ? "no-advisory" : "not-covered";
}

function bestOf(records: readonly ExplainedRecord[]): ExplanationAnswer {
  return answers.find((answer) => records.some((record) => record.answer === answer)) ?? "no-package";
}
