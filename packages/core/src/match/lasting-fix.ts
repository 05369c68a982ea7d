import type { AdvisoryRule } from "../model/advisory.ts";
import type { IndexRecord, Matcher } from "../plugins/matcher.ts";
import type { Judgement } from "./judgement.ts";
import { ownerOf } from "./owners.ts";
import { isUnpatched } from "./range.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** The judgements on one package by the names of their vulnerabilities. */
export type JudgementsByName = ReadonlyMap<string, readonly Judgement[]>;

/** Groups the judgements on one package by the names of vulnerabilities; a judgement about several is in several groups. */
export function byVulnerability(judgements: readonly Judgement[]): JudgementsByName {
  const byName = new Map<string, Judgement[]>();
  for (const judgement of judgements) {
    const { name, ids } = namesOf(judgement.advisory);
    for (const id of new Set([name, ...ids])) {
      const known = byName.get(id);
      if (known === undefined) byName.set(id, [judgement]);
      else known.push(judgement);
    }
  }
  return byName;
}

/**
 * The judgement with the first fix from which on no advisory about the vulnerability affects the package. A feed may list a
 * vulnerability again with a later fix, because the first was incomplete, or once for each architecture. The result has no fix
 * where an advisory without a fix affects the version of every fix.
 * @param others the judgements on the same package; empty where each is about a different vulnerability
 */
export function withLastingFix(
  matcher: Matcher,
  judgement: Judgement<"affected">,
  others: JudgementsByName,
): Judgement<"affected"> {
  const { record, verdict, advisory } = judgement;
  if (verdict.fixedInVersion === undefined) return judgement;
  if (others.size === 0 && advisory.ranges.length < 2) return judgement;
  const rules = rulesOf(judgement, others);
  if (rules.length < 2 && advisory.ranges.length < 2) return judgement;
  const lasting = findLastingFix({ matcher, record, rules }, verdict.fixedInVersion);
  if (lasting === verdict.fixedInVersion) return judgement;
  const step = {
    rule: "lasting-fix",
    detail: `${verdict.fixedInVersion} is affected as well: ${lasting === undefined ? "no fix lasts" : `fixed in ${lasting}`}`,
  };
  return {
    ...judgement,
    verdict: lasting === undefined ? { kind: "affected" } : { kind: "affected", fixedInVersion: lasting },
    steps: judgement.steps.length === 0 ? judgement.steps : [...judgement.steps, step],
  };
}

/** The advisories that may affect another version of the package: the advisory itself, and those that share a vulnerability with it. */
function rulesOf({ advisory, matcher }: Judgement, others: JudgementsByName): readonly AdvisoryRule[] {
  const { name, ids } = namesOf(advisory);
  const related = [name, ...ids].flatMap((id) => others.get(id) ?? []);
  const rules = related.filter((other) => other.matcher === matcher).map((other) => other.advisory);
  return [...new Set([advisory, ...rules])].filter(({ ranges }) => !isUnpatched(ranges));
}

interface Search {
  readonly matcher: Matcher;
  readonly record: IndexRecord;
  readonly rules: readonly AdvisoryRule[];
}

/** Judges the package at the version of each fix. The loop ends: each fix is higher than the one before, and is a bound of a range. */
function findLastingFix({ matcher, record, rules }: Search, first: string): string | undefined {
  let fix: string | undefined = first;
  for (let tries = rules.reduce((sum, { ranges }) => sum + ranges.length, 0); tries > 0; tries--) {
    const atFix = atVersion(record, fix);
    const remaining = rules.flatMap((rule) => affectedBy(matcher, atFix, rule) ?? []);
    if (remaining.length === 0) return fix;
    fix = remaining.find(({ fixedInVersion }) => fixedInVersion !== undefined)?.fixedInVersion;
    if (fix === undefined) return undefined;
  }
  return fix;
}

/** The verdict where it is affected. A matcher that throws on a version that is not installed is ignored. */
function affectedBy(
  matcher: Matcher,
  record: IndexRecord,
  rule: AdvisoryRule,
): Judgement<"affected">["verdict"] | undefined {
  try {
    const verdict = matcher.judge(record, rule);
    return verdict.kind === "affected" ? verdict : undefined;
  } catch {
    return undefined;
  }
}

/** The package at another version, which its source has too. */
function atVersion(record: IndexRecord, version: string): IndexRecord {
  const { source, ...own } = record.package;
  return {
    ...record,
    package: { ...own, version, source: source && { ...source, version } },
  };
}

/** Findings of a package, and those that the distribution has fixed. */
interface OwnerVerdicts {
  readonly affected: readonly Judgement<"affected">[];
  readonly notAffected: readonly Judgement<"not-affected">[];
}

/** Applies the fixes of the owners of one package to its findings. */
type ApplyOwnerFixes = (record: IndexRecord, affected: readonly Judgement<"affected">[]) => OwnerVerdicts;

/**
 * Removes findings of a language package that the distribution has fixed in the packages that own its files. A backported fix does not
 * change the version of the language package, so the language's advisories cannot see it. Each owner is judged once.
 * @param judge gives the verdicts on a package
 */
export function ownerFixes(judge: (record: IndexRecord) => readonly Judgement[]): ApplyOwnerFixes {
  const fixedBy = new WeakMap<IndexRecord, ReadonlySet<string>>();
  const namesFixedBy = (owner: IndexRecord): ReadonlySet<string> => {
    const known = fixedBy.get(owner) ?? fixedNames(judge(owner));
    fixedBy.set(owner, known);
    return known;
  };
  return (record, affected) => {
    const { owners = [] } = record;
    if (affected.length === 0 || owners.length === 0) return { affected, notAffected: [] };
    const names = new Set(owners.flatMap((owner) => [...namesFixedBy(owner)]));
    const isFixed = ({ advisory }: Judgement) => isCovered(namesOf(advisory), names);
    return {
      affected: affected.filter((judgement) => !isFixed(judgement)),
      notAffected: affected.filter(isFixed).map(fixedByOwner),
    };
  };
}

function fixedNames(judgements: readonly Judgement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { verdict, advisory } of judgements) {
    if (verdict.kind === "not-affected" && fixReasons.has(verdict.reason)) addNames(namesOf(advisory), names);
  }
  return names;
}

/** Reasons with which the distribution states that its package does not have the vulnerability. With others the advisory is about something else. */
const fixReasons: ReadonlySet<string> = new Set(["fixed", "vendor-statement"]);

function fixedByOwner(judgement: Judgement): Judgement<"not-affected"> {
  const { record, steps } = judgement;
  const detail = `the distribution has dealt with it in its package ${ownerOf(record)}, which owns the file`;
  const verdict = { kind: "not-affected", reason: "distribution-package" } as const;
  return { ...judgement, verdict, steps: steps.length === 0 ? steps : [...steps, { rule: verdict.reason, detail }] };
}
