import type { AdvisoryRule } from "../model/advisory.ts";
import type { Coverage, PackageFact, Problem } from "../model/index-report.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import type { FeedCoverage } from "../ports.ts";
import type { VexStatement } from "../vex/statement.ts";
import { candidatesOf } from "./candidates-of.ts";
import type { Judgement, MatchResult } from "./judgement.ts";
import { keysOfRecord, matchRecords } from "./match-records.ts";
import { type UndecidedRecord, undecidedPackages } from "./missing-facts.ts";
import { undecidedText } from "./undecided-text.ts";
import { findCve, vulnerabilityNames } from "./vulnerability-names.ts";

/** The question of an explanation: a vulnerability, and optionally a package. */
export type Question = Explanation["question"];

/** The facts from which an answer is derived. */
export interface Evidence {
  readonly matchers: readonly Matcher[];
  readonly records: readonly IndexRecord[];
  /** All advisories for the keys of the records, as for a report. */
  readonly advisories: readonly AdvisoryRule[];
  readonly feeds: readonly FeedCoverage[];
  /** The parts of the image that were not read or not assessed. */
  readonly coverage: Pick<Coverage, "problems" | "unassessed">;
}

/** The answer. With several packages of the name, the first of these that holds for any of them. */
export type ExplanationAnswer = Explanation["answer"];

/** One package of the name, with the evidence for its answer. */
export type ExplainedRecord = Explanation["records"][number];

/** A user's statement about a finding. */
export type StatementOnFinding = ExplainedRecord["statements"][number];

/** Why packages are affected by a vulnerability, or why not. */
export interface Explanation {
  /** A vulnerability, and optionally a package. */
  readonly question: {
    /** Name of a package or of its source, or one that a package may have. Absent: every package that an advisory about the vulnerability names. */
    readonly packageName?: string;
    /** Name or alias of a vulnerability. */
    readonly vulnerability: string;
  };
  /** With several packages of the name, the first of these that holds for any of them. */
  readonly answer:
    | "affected"
    | "undecided"
    /** It is affected, and a user's statement suppresses the finding. */
    | "suppressed"
    | "not-affected"
    /** A loaded feed covers the distribution or language, and no advisory is about this vulnerability in this package. */
    | "no-advisory"
    /** No loaded feed covers the distribution or language. */
    | "not-covered"
    /** No matcher accepts this kind of package or distribution. */
    | "no-matcher"
    /** No package of the name was found, and a file that could not be read may list it. */
    | "database-damaged"
    /** No package of the name was found, and the image has packages that no detector reads. */
    | "not-assessed"
    /** The whole image was read, and it has no package of the name. */
    | "no-package";
  /** The packages of the name, each with the evidence for its answer. */
  readonly records: readonly {
    readonly record: IndexRecord;
    readonly answer: Explanation["answer"];
    /** The facts about the package that are not known, and without which it cannot be judged. */
    readonly missing: readonly PackageFact[];
    readonly keys: readonly MatchKey[];
    readonly feeds: readonly FeedCoverage[];
    /** The judgements about this vulnerability, with their steps; those that repeat another come last. */
    readonly judgements: readonly Judgement[];
    /** The judgements that a report shows as findings. */
    readonly findings: readonly Judgement<"affected">[];
    /** Statements of users about the findings; none unless statements are explained. */
    readonly statements: readonly {
      readonly advisory: AdvisoryRule;
      readonly statement: VexStatement;
      /** An expired statement does not suppress the finding. */
      readonly isExpired: boolean;
    }[];
  }[];
  /** Files that could not be read; empty where they cannot change the answer. */
  readonly problems: readonly Problem[];
  /** Packages that were not assessed; empty where that cannot change the answer. */
  readonly unassessed: Coverage["unassessed"];
  /** Ecosystems of packages that no loaded feed covers; empty where that cannot change the answer. */
  readonly uncovered: readonly string[];
  /** Texts about packages that cannot be judged; empty where they cannot change the answer. */
  readonly undecided: readonly string[];
}

/** Explains a verdict: matches the packages of the name again and records every step. */
export function explain(question: Question, { matchers, records, advisories, feeds, coverage }: Evidence): Explanation {
  const { packageName } = question;
  const named = packageName === undefined ? records : records.filter((record) => isNamed(record, packageName));
  const matched = matchRecords(matchers, { records: named, advisories }, { trace: true });
  const judgementsOn = judgementsByRecord(matched, question.vulnerability);
  const affected = new Set<Judgement>(matched.affected);
  const lacking = matched.undecidedRecords.map(ofPackage);
  const factsOf = new Map(lacking.map(({ record, facts }) => [record, facts]));
  const explained = named.map((record): ExplainedRecord => {
    const keys = matchers.flatMap((matcher) => keysOfRecord(matcher, record, []));
    const ecosystems = new Set(keys.map(({ ecosystem }) => ecosystem));
    const covered = feeds.filter(({ ecosystem }) => ecosystems.has(ecosystem));
    const judgements = judgementsOn.get(record) ?? [];
    const findings = judgements.filter((each): each is Judgement<"affected"> => affected.has(each));
    const missing = factsOf.get(record) ?? [];
    const decided = answerOf(judgements, keys, covered);
    const isUndecided = missing.some((fact) => fact !== "ecosystem") && !isDecided(decided);
    const answer = isUndecided ? "undecided" : decided;
    return { record, missing, keys, feeds: covered, judgements, findings, statements: [], answer };
  });
  const shown = packageName === undefined ? explained.filter(({ judgements }) => judgements.length > 0) : explained;
  const gaps = shown.length > 0 ? noGaps : gapsFor(packageName, coverage);
  const answer =
    explained.length > 0 ? firstAnswerOf(shown.length > 0 ? shown : explained) : answerWithoutPackage(gaps);
  const uncovered = shown.length > 0 ? [] : new Set(explained.flatMap(({ feeds }) => feeds.flatMap(uncoveredOf)));
  const unjudged = shown.length > 0 ? [] : undecidedPackages(lacking);
  const packages = Object.fromEntries(named.map((record) => [record.package.id, withCandidates(record)]));
  const undecided = unjudged.map((each) => undecidedText(each, packages));
  return { question, answer, records: shown, ...gaps, uncovered: [...uncovered].sort(), undecided };
}

const maxCandidates = 3;

/** A package as texts name it: with the first of the names that it may have. */
function withCandidates(record: IndexRecord): { readonly name: string; readonly version: string } {
  const { name, version } = record.package;
  const candidates = candidatesOf(record).slice(0, maxCandidates);
  return candidates.length === 0
    ? { name, version }
    : { name, version: `${version} (may be ${candidates.join(", ")})`.trim() };
}

/** Without the fact that advisories lack: a judgement says which advisory it is. */
function ofPackage({ record, facts }: UndecidedRecord): UndecidedRecord {
  return { record, facts: facts.filter((fact) => fact !== "statement") };
}

/** Whether an advisory decides about a package, or a user's statement: facts that are not known change nothing about that. */
function isDecided(answer: ExplanationAnswer): boolean {
  return answer === "affected" || answer === "suppressed" || answer === "not-affected";
}

function uncoveredOf({ ecosystem, covered }: FeedCoverage): readonly string[] {
  return covered ? [] : [ecosystem];
}

/** The explanation with other records, and the answer that follows from them. */
export function explanationOf(explanation: Explanation, records: readonly ExplainedRecord[]): Explanation {
  return { ...explanation, records, answer: records.length > 0 ? firstAnswerOf(records) : explanation.answer };
}

/** The parts of the image that were not read or not assessed, and may contain the package. */
type CoverageGaps = Pick<Explanation, "problems" | "unassessed">;

const noGaps: CoverageGaps = { problems: [], unassessed: [] };

/** If paths of the evidence name the package, only their kinds; else all gaps, since any may contain it. */
function gapsFor(packageName: string | undefined, { problems, unassessed }: Evidence["coverage"]): CoverageGaps {
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

function answerWithoutPackage({ problems, unassessed }: CoverageGaps): ExplanationAnswer {
  if (problems.length > 0) return "database-damaged";
  return unassessed.length > 0 ? "not-assessed" : "no-package";
}

function isNamed(record: IndexRecord, wanted: string): boolean {
  const { name, source } = record.package;
  return name === wanted || source?.name === wanted || candidatesOf(record).includes(wanted);
}

function judgementsByRecord(
  matched: MatchResult,
  vulnerability: string,
): ReadonlyMap<IndexRecord, readonly Judgement[]> {
  const name = findCve(vulnerability) ?? vulnerability;
  const all = [...matched.affected, ...matched.undecided, ...matched.notAffected, ...matched.repeated];
  return Map.groupBy(
    all.filter(({ advisory }) => isAbout(advisory, name)),
    ({ record }) => record,
  );
}

function isAbout(advisory: AdvisoryRule, name: string): boolean {
  return advisory.name === name || advisory.aliases.includes(name) || vulnerabilityNames(advisory).includes(name);
}

/** The first that holds for any package is the answer. */
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

function firstAnswerOf(records: readonly ExplainedRecord[]): ExplanationAnswer {
  return answers.find((answer) => records.some((record) => record.answer === answer)) ?? "no-package";
}
