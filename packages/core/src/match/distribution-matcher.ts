import type { AdvisoryRange, AdvisoryRule } from "../model/advisory.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { IndexRecord, Matcher, MatchKey, NotAffectedReason, Trace, UndecidedReason, Verdict } from "../plugins.ts";
import { archHolds } from "./arch-condition.ts";
import { describeRange } from "./describe-range.ts";
import type { DistributionRules } from "./distribution-rules.ts";
import { findRangeOf, type Installed, type RangeFinding, settledRanges } from "./range.ts";
import { type ParsedSubject, rememberSubjects, type SubjectOf } from "./remember-subjects.ts";

/**
 * The matcher of one packaging system's distributions. Like is compared with like: an advisory about a source with the
 * source's name and version, one about a binary with the binary's.
 */
export function distributionMatcher(rules: DistributionRules): Matcher {
  const subjectOf = rememberSubjects(rules);
  const keysOf = rememberKeys(rules);
  return {
    name: rules.name,
    keysRevision: rules.keysRevision,
    accepts: (record) => keysOf(record).length > 0,
    keys: keysOf,
    judge: (record, advisory, trace) => judge({ rules, subjectOf, record, advisory, trace }),
  };
}

/** Keys are asked for again and again: to accept, to look up, to judge. */
function rememberKeys(rules: DistributionRules): (record: IndexRecord) => readonly MatchKey[] {
  const remembered = new WeakMap<IndexRecord, readonly MatchKey[]>();
  return (record) => {
    const known = remembered.get(record);
    if (known !== undefined) return known;
    const keys = keysOf(rules, record);
    remembered.set(record, keys);
    return keys;
  };
}

function keysOf(
  rules: DistributionRules,
  { distribution, repositories, package: { name, source } }: IndexRecord,
): readonly MatchKey[] {
  const ecosystem = distribution === undefined ? undefined : rules.ecosystemOf(distribution, repositories);
  if (ecosystem === undefined) return [];
  const binary = { ecosystem, name };
  return source === undefined || source.name === name ? [binary] : [binary, { ecosystem, name: source.name }];
}

/** One package and one advisory on the way to a verdict. */
interface Case {
  readonly rules: DistributionRules;
  readonly subjectOf: SubjectOf;
  readonly record: IndexRecord;
  readonly advisory: AdvisoryRule;
  readonly trace: Trace | undefined;
}

/** Rule by rule; the first that rules the advisory out, or leaves it open, ends it. Details cost nothing without a trace. */
function judge(at: Case): Verdict {
  const { rules, record, advisory, trace } = at;
  const subject = at.subjectOf(record.package, advisory.packageKind);
  if (subject.name !== advisory.packageName) return otherKind(at, subject);
  if (record.repositories.length > 0 && isThirdParty(record)) return thirdParty(at);
  if (!archHolds(advisory.arch, record.package.arch)) return otherArch(at);
  const scope = rules.scopeOf(record.package, advisory);
  if (scope.kind === "other") {
    trace?.step(scope.reason, scope.detail);
    return notAffected(scope.reason);
  }
  const verdict = judgeVersion(at, subject.installed);
  if (scope.kind === "same" || verdict.kind !== "affected") return verdict;
  trace?.step(scope.reason, scope.detail);
  return undecided(scope.reason);
}

function otherKind({ advisory, trace }: Case, subject: ParsedSubject): Verdict {
  const side = advisory.packageKind === "SOURCE" ? "source" : "binary";
  trace?.step("other-kind", `it speaks of the ${side} ${advisory.packageName}, the ${side} here is ${subject.name}`);
  return notAffected("other-kind");
}

function isThirdParty({ repositories }: IndexRecord): boolean {
  return repositories.some(({ key }) => key === thirdPartyKey);
}

function thirdParty({ record, trace }: Case): Verdict {
  const names = record.repositories.filter(({ key }) => key === thirdPartyKey).map(({ name }) => name ?? "unknown");
  trace?.step("third-party-package", `made by ${names.join(", ")}: the distribution's versions say nothing of it`);
  return undecided("third-party-package");
}

function otherArch({ record, advisory: { arch }, trace }: Case): Verdict {
  trace?.step("other-arch", `${record.package.arch} does not meet "${arch?.operation} ${arch?.value}"`);
  return notAffected("other-arch");
}

function judgeVersion(at: Case, installed: Installed): Verdict {
  const { advisory, trace } = at;
  const { scheme, text } = installed;
  if (text === "") {
    trace?.step("version-unknown", "the package tells no version");
    return undecided("version-unknown");
  }
  const finding = findRangeOf(installed, settledRanges(advisory.ranges), advisory.versions);
  switch (finding.kind) {
    case "in-range":
    case "listed":
      return spokenOf(at, text, finding);
    case "outside":
      return outside(at, installed);
    case "malformed-installed":
      trace?.step("malformed-package-version", `${text} is no ${scheme.name} version`);
      return undecided("malformed-package-version");
    case "malformed-bound":
      trace?.step("malformed-advisory-version", `${finding.bound} is no ${scheme.name} version`);
      return undecided("malformed-advisory-version");
  }
}

type Spoken = RangeFinding & { readonly kind: "in-range" | "listed" };

function spokenOf({ advisory, trace }: Case, version: string, finding: Spoken): Verdict {
  switch (advisory.status) {
    case "not-affected":
      trace?.step("vendor-statement", `${where(version, finding)}, of which the vendor says that it is not affected`);
      return notAffected("vendor-statement");
    case "undetermined":
      trace?.step("vendor-undetermined", `${where(version, finding)}, of which the vendor has not decided`);
      return undecided("vendor-undetermined");
    case "affected": {
      const fixed = finding.kind === "in-range" ? finding.range.fixed : undefined;
      trace?.step(
        "versions",
        `${where(version, finding)}: affected, ${fixed === undefined ? "no fix is known" : `fixed in ${fixed}`}`,
      );
      return fixed === undefined ? { kind: "affected" } : { kind: "affected", fixedInVersion: fixed };
    }
  }
}

function where(version: string, finding: Spoken): string {
  return `${version} is ${finding.kind === "listed" ? "listed by the advisory" : `in ${describeRange(finding.range)}`}`;
}

function outside({ advisory: { ranges }, trace }: Case, installed: Installed): Verdict {
  const fix = fixOf(ranges, installed);
  if (fix !== undefined) {
    trace?.step("fixed", `${installed.text} is not below ${fix}, which has the fix`);
    return notAffected("fixed");
  }
  trace?.step("outside-range", `${installed.text} is not in ${ranges.map(describeRange).join(", ") || "any range"}`);
  return notAffected("outside-range");
}

/** The first fix that the version has. */
function fixOf(ranges: readonly AdvisoryRange[], installed: Installed): string | undefined {
  for (const { introduced, fixed } of ranges) {
    if (fixed === undefined) continue;
    if (introduced === undefined || findRangeOf(installed, [{ introduced: fixed }], []).kind === "in-range")
      return fixed;
  }
  return undefined;
}

function notAffected(reason: NotAffectedReason): Verdict {
  return { kind: "not-affected", reason };
}

function undecided(reason: UndecidedReason): Verdict {
  return { kind: "undecided", reason };
}
