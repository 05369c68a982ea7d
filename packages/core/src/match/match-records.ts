import type { AdvisoryRule } from "../model/advisory.ts";
import { atOnce, nameOfValue } from "../model/at-once.ts";
import { type PackageFact, type Problem, packageFacts } from "../model/index-report.ts";
import { lookupName } from "../model/package-name.ts";
import {
  type IndexRecord,
  type Matcher,
  type MatchKey,
  type NotAffectedReason,
  type Trace,
  undecidedReasons,
  type Verdict,
} from "../plugins/matcher.ts";
import type { FeedCoverage } from "../ports.ts";
import type { Judgement, MatchResult } from "./judgement.ts";
import { byVulnerability, type JudgementsByName, ownerFixes, withLastingFix } from "./lasting-fix.ts";
import { type Judged, missingFactsOf, type UndecidedRecord } from "./missing-facts.ts";
import { ownerOf } from "./owners.ts";
import { settleVerdicts } from "./settle-verdicts.ts";

/**
 * Judges every package by the advisories of its keys. A vendor's statement that a package is not affected overrules other
 * advisories about the same vulnerability. A vulnerability in several feeds is found once ({@link settleVerdicts}). When a
 * matcher throws, the verdict is undecided and a problem is added; matching continues.
 * @example
 * declare const report: IndexReport;
 * declare const advisories: readonly Advisory[];
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * const result = matchRecords(matchers, { records: indexRecords(report), advisories });
 */
export function matchRecords(
  matchers: readonly Matcher[],
  { records, advisories }: { readonly records: readonly IndexRecord[]; readonly advisories: readonly AdvisoryRule[] },
  options: {
    /** Keeps the steps of every verdict, and the not-affected and repeated verdicts. */
    readonly trace?: boolean;
    /** For ecosystems of keys, whether a loaded feed covers them: one that is not named may be covered. */
    readonly feeds?: readonly FeedCoverage[];
  } = {},
): MatchResult {
  const matching = startMatching(matchers, advisories, options);
  matching.add(records);
  return matching.result();
}

/** How packages are judged. */
type MatchOptions = NonNullable<Parameters<typeof matchRecords>[2]>;

/** {@link matchRecords} in several steps. */
interface Matching {
  /** Judges more packages. */
  add(records: readonly IndexRecord[]): void;
  /** The result for all packages added so far. */
  result(): MatchResult;
}

/** Starts matching without packages. */
export function startMatching(
  matchers: readonly Matcher[],
  advisories: readonly AdvisoryRule[],
  { trace = false, feeds = [] }: MatchOptions = {},
): Matching {
  const uncovered = new Set(feeds.flatMap(({ ecosystem, covered }) => (covered ? [] : ecosystem)));
  const byKey = groupByKey(advisories);
  const byName = new Map(matchers.map((matcher) => [matcher.name, matcher]));
  const result = {
    affected: [] as Judgement<"affected">[],
    undecided: [] as Judgement<"undecided">[],
    notAffected: [] as Judgement<"not-affected">[],
    notAffectedCount: 0,
    repeated: [] as Judgement[],
    undecidedRecords: [] as UndecidedRecord[],
    problems: [] as Problem[],
  };
  const fixesOverrule = (name: string) => byName.get(name)?.fixesOverrule === true;
  const judgeOwner = (record: IndexRecord) =>
    judgeRecord({ matchers, record, byKey, uncovered, trace: false, problems: [] }).judgements;
  const applyOwnerFixes = ownerFixes(judgeOwner);
  const judge = (record: IndexRecord): void => {
    const judged = judgeRecord({ matchers, record, byKey, uncovered, trace, problems: result.problems });
    const { judgements } = judged;
    const settled = settleVerdicts(judgements, fixesOverrule);
    const facts = missingFactsOf(record, { ...judged, undecided: settled.undecided });
    if (facts.length > 0) result.undecidedRecords.push({ record, facts });
    const others = settled.areDistinct ? noJudgements : byVulnerability(judgements);
    const { affected, notAffected } = applyOwnerFixes(record, settled.affected);
    for (const judgement of affected) {
      const matcher = byName.get(judgement.matcher);
      result.affected.push(matcher === undefined ? judgement : withLastingFix(matcher, judgement, others));
    }
    for (const judgement of settled.undecided) result.undecided.push(judgement);
    result.notAffectedCount += settled.notAffected.length + notAffected.length;
    if (!trace) return;
    for (const judgement of settled.notAffected) result.notAffected.push(judgement);
    for (const judgement of notAffected) result.notAffected.push(judgement);
    for (const judgement of settled.repeated) result.repeated.push(judgement);
  };
  return { add: (records) => records.forEach(judge), result: () => result };
}

const noJudgements: JudgementsByName = new Map();

/**
 * The keys of the advisories that a record may be judged by. A matcher that throws has no keys, and adds to `problems`.
 * @example
 * declare const report: IndexReport;
 * const { matchers } = createEngine({ ecosystems: [dpkg, linux] });
 * const problems: Problem[] = [];
 * const keys = indexRecords(report).flatMap((record) => matchers.flatMap((matcher) => keysOfRecord(matcher, record, problems)));
 */
export function keysOfRecord(matcher: Matcher, record: IndexRecord, problems: Problem[]): readonly MatchKey[] {
  try {
    if (!atOnce(matcher.accepts(record), "accepts", matcher.name)) return [];
    return checkKeys(atOnce(matcher.keys(record), "keys", matcher.name)).map(lookupKey);
  } catch (error) {
    problems.push(problemOf(matcher, record, error));
    return [];
  }
}

/** A key without its texts would find nothing, or fail in the store of advisories. */
function checkKeys(keys: readonly MatchKey[]): readonly MatchKey[] {
  if (Array.isArray(keys) && keys.every(isKey)) return keys;
  throw new TypeError(`keys: expected a list of keys with an ecosystem and a name, found ${shown(keys)}`);
}

function isKey(key: MatchKey | undefined): boolean {
  return typeof key?.ecosystem === "string" && typeof key.name === "string";
}

/** The key with the name in the form of look-ups; the same object where the name has that form, as nearly always. */
function lookupKey(key: MatchKey): MatchKey {
  const name = lookupName(key.ecosystem, key.name);
  return name === key.name ? key : { ...key, name };
}

interface RecordCase {
  readonly matchers: readonly Matcher[];
  readonly record: IndexRecord;
  readonly byKey: AdvisoriesByKey;
  /** The ecosystems that no loaded feed covers. */
  readonly uncovered: ReadonlySet<string>;
  readonly trace: boolean;
  readonly problems: Problem[];
}

function judgeRecord(at: RecordCase): Omit<Judged, "undecided"> {
  const judgements: Judgement[] = [];
  let missing = noFacts;
  let hasKeys = false;
  for (const matcher of at.matchers) {
    const keys = keysOfRecord(matcher, at.record, at.problems);
    hasKeys ||= keys.length > 0;
    for (const { ecosystem, name } of keys) {
      const advisories = at.byKey.get(ecosystem)?.get(name) ?? [];
      for (const advisory of advisories) judgements.push(judgePair(at, matcher, advisory));
    }
    if (isOfUnknownRelease(at, keys)) missing = [...missing, "release"];
    const facts = missingOf(at, matcher);
    if (facts.length > 0) missing = [...missing, ...facts];
  }
  return { judgements, missing, hasKeys };
}

const noFacts: readonly PackageFact[] = [];

/** Whether a package is of a release of its distribution that no loaded feed knows: it may be too new, or exist nowhere. */
function isOfUnknownRelease({ record, uncovered }: RecordCase, [key]: readonly MatchKey[]): boolean {
  if (key === undefined || !uncovered.has(key.ecosystem)) return false;
  return record.distribution !== undefined && ownerOf(record) === undefined;
}

function missingOf({ record, problems }: RecordCase, matcher: Matcher): readonly PackageFact[] {
  if (matcher.missingFacts === undefined) return noFacts;
  try {
    return checkFacts(atOnce(matcher.missingFacts(record), "missingFacts", matcher.name));
  } catch (error) {
    problems.push(problemOf(matcher, record, error));
    return noFacts;
  }
}

/** A fact of another name would be none: nothing would say that the package cannot be judged. */
function checkFacts(facts: readonly PackageFact[]): readonly PackageFact[] {
  if (Array.isArray(facts) && facts.every((fact) => packageFacts.includes(fact))) return facts;
  throw new TypeError(`missingFacts: expected a list of ${packageFacts.join(", ")}, found ${shown(facts)}`);
}

const noSteps: readonly TraceStep[] = [];

function judgePair({ record, trace, problems }: RecordCase, matcher: Matcher, advisory: AdvisoryRule): Judgement {
  const recorded = trace ? recordTrace() : undefined;
  let verdict: Verdict;
  try {
    verdict = checkVerdict(matcher.judge(record, advisory, recorded), matcher.name);
  } catch (error) {
    problems.push(problemOf(matcher, record, error));
    verdict = { kind: "undecided", reason: "matcher-failed" };
  }
  return { record, advisory, matcher: matcher.name, verdict, steps: recorded?.steps ?? noSteps };
}

/** A verdict of another kind would be none: neither a finding nor undecided. */
function checkVerdict(verdict: Verdict, matcher: string): Verdict {
  switch (verdict?.kind) {
    case "affected":
      if (verdict.fixedInVersion === undefined || typeof verdict.fixedInVersion === "string") return verdict;
      break;
    case "not-affected":
      if (Object.hasOwn(notAffectedReasons, verdict.reason)) return verdict;
      break;
    case "undecided":
      if (undecidedReasons.includes(verdict.reason)) return verdict;
  }
  atOnce(verdict, "judge", matcher);
  throw new TypeError(`judge: expected a verdict, found ${shown(verdict)}`);
}

/** A value in a message. The errors of promises in it are not left unhandled. */
function shown(value: unknown): string {
  if (Array.isArray(value)) for (const each of value) nameOfValue(each);
  try {
    return JSON.stringify(value)?.slice(0, 100) ?? typeof value;
  } catch {
    return typeof value; // it contains itself
  }
}

const notAffectedReasons: Readonly<Record<NotAffectedReason, true>> = {
  "distribution-package": true,
  fixed: true,
  "outside-range": true,
  "other-arch": true,
  "other-flavour": true,
  "other-kind": true,
  "other-module": true,
  "other-product": true,
  "other-release": true,
  "part-not-linked": true,
  "private-package": true,
  "vendor-statement": true,
};

function problemOf(matcher: Matcher, record: IndexRecord, error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  return {
    at: record.packageDb,
    code: "matcher_failed",
    message: `${matcher.name}, ${record.package.name}: ${message}`,
  };
}

type AdvisoriesByKey = ReadonlyMap<string, ReadonlyMap<string, readonly AdvisoryRule[]>>;

/** Groups advisories. Sources return the advisories of a key consecutively, so most need no look-up in the maps. */
function groupByKey(advisories: readonly AdvisoryRule[]): AdvisoriesByKey {
  const byEcosystem = new Map<string, Map<string, AdvisoryRule[]>>();
  let group: AdvisoryRule[] = [];
  let last: AdvisoryRule | undefined;
  for (const advisory of advisories) {
    if (last?.packageName === advisory.packageName && last.ecosystem === advisory.ecosystem) {
      group.push(advisory);
      continue;
    }
    last = advisory;
    const byName = byEcosystem.get(advisory.ecosystem) ?? new Map<string, AdvisoryRule[]>();
    byEcosystem.set(advisory.ecosystem, byName);
    const name = lookupName(advisory.ecosystem, advisory.packageName);
    group = byName.get(name) ?? [];
    byName.set(name, group);
    group.push(advisory);
  }
  return byEcosystem;
}

/** One step of reaching a verdict. */
type TraceStep = Judgement["steps"][number];

/** A trace that keeps its steps. */
interface RecordedTrace extends Trace {
  readonly steps: readonly TraceStep[];
}

/** Makes an empty trace. */
export function recordTrace(): RecordedTrace {
  const steps: TraceStep[] = [];
  return { steps, step: (rule, detail) => void steps.push({ rule, detail }) };
}
