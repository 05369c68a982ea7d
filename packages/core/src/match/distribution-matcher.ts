import type { AdvisoryRange, AdvisoryRule } from "../model/advisory.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { IndexRecord, Matcher, MatchKey, NotAffectedReason, Trace, UndecidedReason, Verdict } from "../plugins.ts";
import { archHolds } from "./arch-condition.ts";
import { describeRange } from "./describe-range.ts";
import type { DistributionRules } from "./distribution-rules.ts";
import { findRange, findRangeOf, type Installed, type RangeFinding } from "./range.ts";
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

/** Rule by rule; the first that rules the advisory out, or leaves it open, ends it. */
function judge(at: Case): Verdict {
  const { rules, record, advisory } = at;
  const subject = at.subjectOf(record.package, advisory.packageKind);
  if (subject.name !== advisory.packageName) return otherKind(at, subject);
  if (isThirdParty(record)) return thirdParty(at);
  if (!archHolds(advisory.arch, record.package.arch)) return otherArch(at);
  const scope = rules.scopeOf(record.package, advisory);
  if (scope.kind === "other") return notAffected(at, scope.reason, () => scope.detail);
  const verdict = judgeVersion(at, subject);
  if (scope.kind === "unknown" && verdict.kind === "affected") return undecided(at, scope.reason, () => scope.detail);
  return verdict;
}

function otherKind(at: Case, subject: ParsedSubject): Verdict {
  const { packageKind, packageName } = at.advisory;
  const side = packageKind === "SOURCE" ? "source" : "binary";
  return notAffected(
    at,
    "other-kind",
    () => `it speaks of the ${side} ${packageName}, the ${side} here is ${subject.name}`,
  );
}

function isThirdParty({ repositories }: IndexRecord): boolean {
  return repositories.some(({ key }) => key === thirdPartyKey);
}

function thirdParty(at: Case): Verdict {
  const names = at.record.repositories.filter(({ key }) => key === thirdPartyKey).map(({ name }) => name ?? "unknown");
  return undecided(
    at,
    "third-party-package",
    () => `made by ${names.join(", ")}: the distribution's versions say nothing of it`,
  );
}

function otherArch(at: Case): Verdict {
  const { arch } = at.advisory;
  return notAffected(
    at,
    "other-arch",
    () => `${at.record.package.arch} does not meet "${arch?.operation} ${arch?.value}"`,
  );
}

function judgeVersion(at: Case, { installed }: ParsedSubject): Verdict {
  const { scheme, text } = installed;
  if (text === "") return undecided(at, "version-unknown", () => "the package tells no version");
  const finding = findRangeOf(installed, at.advisory.ranges, at.advisory.versions);
  switch (finding.kind) {
    case "in-range":
    case "listed":
      return spokenOf(at, text, finding);
    case "outside":
      return outside(at, installed);
    case "malformed-installed":
      return undecided(at, "malformed-package-version", () => `${text} is no ${scheme.name} version`);
    case "malformed-bound":
      return undecided(at, "malformed-advisory-version", () => `${finding.bound} is no ${scheme.name} version`);
  }
}

function spokenOf(at: Case, version: string, finding: RangeFinding & { kind: "in-range" | "listed" }): Verdict {
  const range = finding.kind === "in-range" ? finding.range : undefined;
  const where = () => `${version} is ${range === undefined ? "listed by the advisory" : `in ${describeRange(range)}`}`;
  switch (at.advisory.status) {
    case "not-affected":
      return notAffected(at, "vendor-statement", () => `${where()}, of which the vendor says that it is not affected`);
    case "undetermined":
      return undecided(at, "vendor-undetermined", () => `${where()}, of which the vendor has not decided`);
    case "affected":
      return affected(at, range?.fixed, where);
  }
}

function affected({ trace }: Case, fixed: string | undefined, where: () => string): Verdict {
  trace?.step("versions", `${where()}: affected, ${fixed === undefined ? "no fix is known" : `fixed in ${fixed}`}`);
  return fixed === undefined ? { kind: "affected" } : { kind: "affected", fixedInVersion: fixed };
}

function outside(at: Case, { scheme, text }: Installed): Verdict {
  const { ranges } = at.advisory;
  const isFixedBy = ({ introduced, fixed }: AdvisoryRange) =>
    fixed !== undefined &&
    (introduced === undefined || findRange(scheme, text, [{ introduced: fixed }], []).kind === "in-range");
  const fix = ranges.find(isFixedBy)?.fixed;
  if (fix !== undefined) return notAffected(at, "fixed", () => `${text} is not below ${fix}, which has the fix`);
  return notAffected(
    at,
    "outside-range",
    () => `${text} is not in ${ranges.map(describeRange).join(", ") || "any range"}`,
  );
}

function notAffected({ trace }: Case, reason: NotAffectedReason, detail: () => string): Verdict {
  trace?.step(reason, detail());
  return { kind: "not-affected", reason };
}

function undecided({ trace }: Case, reason: UndecidedReason, detail: () => string): Verdict {
  trace?.step(reason, detail());
  return { kind: "undecided", reason };
}
