import type { AdvisoryRule } from "../model/advisory.ts";
import type { IndexRecord, Matcher } from "../plugins/matcher.ts";
import type { Judgement } from "./judgement.ts";
import { isUnpatched } from "./range.ts";
import { namesOf } from "./vulnerability-names.ts";

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
