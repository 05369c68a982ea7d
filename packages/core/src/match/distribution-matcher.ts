import type { AdvisoryRange, AdvisoryRule } from "../model/advisory.ts";
import type { PackageFact } from "../model/index-report.ts";
import { type Package, type PackageKind, thirdPartyKey } from "../model/package.ts";
import type { IndexRecord, Matcher, MatchKey, Trace, Verdict } from "../plugins/matcher.ts";
import { findVersion } from "../versions/define-order.ts";
import { archHolds } from "./arch-condition.ts";
import type { DistributionRules, Scope } from "./distribution-rules.ts";
import { judgeVersion, notAffected, undecided } from "./judge-version.ts";
import { isUnstated } from "./missing-facts.ts";
import { ownerOf } from "./owners.ts";
import { type Installed, settledRanges } from "./range.ts";

/**
 * The matcher for the distributions of one packaging system. An advisory about a source package is compared with the name and
 * version of the source, one about a binary package with those of the binary.
 */
export function distributionMatcher(rules: DistributionRules): Matcher {
  const subjectOf = memoizeSubjects(rules);
  const keysOf = rememberKeys(rules);
  const newerOf = rememberNewer(rules);
  return {
    name: rules.name,
    keysRevision: rules.keysRevision,
    fixesOverrule: true,
    accepts: (record) => keysOf(record).length > 0,
    keys: keysOf,
    missingFacts: (record) => missingFacts(rules, record, keysOf(record)),
    judge: (record, advisory, trace) => judge({ rules, subjectOf, newerOf, record, advisory, trace }),
  };
}

/** Caches the keys of a record, which are needed to accept it, to look up advisories and to judge it. */
function rememberKeys(rules: DistributionRules): (record: IndexRecord) => readonly MatchKey[] {
  const cache = new WeakMap<IndexRecord, readonly MatchKey[]>();
  return (record) => {
    const known = cache.get(record);
    if (known !== undefined) return known;
    const keys = keysOf(rules, record);
    cache.set(record, keys);
    return keys;
  };
}

/**
 * The keys of a record. None for a language package from a distribution package: it has another name and version than the distribution
 * package that owns its file.
 */
function keysOf(rules: DistributionRules, record: IndexRecord): readonly MatchKey[] {
  const { distribution, repositories } = record;
  const { name, source } = record.package;
  const isOther = distribution === undefined || ownerOf(record) !== undefined;
  const own = isOther ? [] : rules.ecosystemsOf(distribution, repositories);
  const newer = own.length === 0 ? undefined : rules.newerReleaseOf?.(record);
  const ecosystems = newer === undefined ? own : [...own, newer];
  const names = source === undefined || source.name === name ? [name] : [name, source.name];
  return ecosystems.flatMap((ecosystem) => names.map((each) => ({ ecosystem, name: each })));
}

type NewerOf = (record: IndexRecord) => string | undefined;

/** Caches the newer release that a package was made in. */
function rememberNewer({ newerReleaseOf }: DistributionRules): NewerOf {
  if (newerReleaseOf === undefined) return () => undefined;
  const cache = new WeakMap<IndexRecord, { readonly newer: string | undefined }>();
  return (record) => {
    const known = cache.get(record);
    if (known !== undefined) return known.newer;
    const newer = newerReleaseOf(record);
    cache.set(record, { newer });
    return newer;
  };
}

/**
 * A package whose release has no keys may have advisories under those of its release; one whose source is not stated, under its source. The advisories of
 * the distribution say nothing about one that a third party made.
 */
function missingFacts(
  rules: DistributionRules,
  record: IndexRecord,
  keys: readonly MatchKey[],
): readonly PackageFact[] {
  const did = record.distribution?.did ?? "";
  if (keys.length === 0) return rules.isFor(did) && ownerOf(record) === undefined ? ["release"] : [];
  const maker: readonly PackageFact[] = isUnstated(record, "maker") ? ["maker"] : [];
  return rules.namesSources(did) && isUnstated(record, "source") ? ["source", ...maker] : maker;
}

/** One package and one advisory to judge. */
interface Case {
  readonly rules: DistributionRules;
  readonly subjectOf: SubjectOf;
  readonly newerOf: NewerOf;
  readonly record: IndexRecord;
  readonly advisory: AdvisoryRule;
  readonly trace: Trace | undefined;
}

/** The verdict; of the image's own release, none that a package of a newer release is not affected. */
function judge(at: Case): Verdict {
  const verdict = judgeByRules(at);
  if (verdict.kind !== "not-affected") return verdict;
  const newer = at.newerOf(at.record);
  if (newer === undefined || newer === at.advisory.ecosystem) return verdict;
  at.trace?.step("other-release", `the package was made in ${newer}, whose advisories decide`);
  return notAffected("other-release");
}

/** Applies the rules in order; the first one that gives a verdict ends it. */
function judgeByRules(at: Case): Verdict {
  const { record, advisory, trace } = at;
  const subject = at.subjectOf(record.package, advisory.packageKind);
  if (subject.name !== advisory.packageName) return otherKind(at, subject);
  if (record.repositories.length > 0 && isThirdParty(record)) return thirdParty(at);
  if (!archHolds(advisory.arch, record.package.arch)) return otherArch(at);
  const scope = scopeOf(at, subject);
  if (scope.kind === "other") {
    trace?.step(scope.reason, scope.detail);
    return notAffected(scope.reason);
  }
  const verdict = judgeVersion({
    advisory,
    installed: subject.installed,
    trace,
    ranges: settledRanges(advisory.ranges),
  });
  if (scope.kind === "same" || verdict.kind !== "affected") return verdict;
  trace?.step(scope.reason, scope.detail);
  return undecided(scope.reason);
}

function scopeOf({ rules, record, advisory }: Case, { installed }: ParsedSubject): Scope {
  const scope = rules.scopeOf(record, advisory);
  const isWhole = rules.hasReleases !== true || installed.text.includes("-");
  return scope.kind !== "same" || isWhole || !advisory.ranges.some(differsByRelease(installed))
    ? scope
    : withoutRelease;
}

const withoutRelease: Scope = {
  kind: "unknown",
  reason: "malformed-package-version",
  detail: "the version is stated without its release, and the advisory names a release of the same version",
};

/** Whether a bound is the installed version, which has no release, with one: `5.1.8-10.el9` of `5.1.8`. */
function differsByRelease({ scheme, version }: Installed): (range: AdvisoryRange) => boolean {
  return ({ fixed, lastAffected, below }) => {
    const bound = fixed ?? lastAffected ?? below ?? "";
    const whole = bound.slice(0, Math.max(0, bound.lastIndexOf("-")));
    const other = whole === "" || version === undefined ? undefined : findVersion(scheme, whole);
    return other !== undefined && scheme.compare(version, other) === 0;
  };
}

function otherKind({ advisory, trace }: Case, subject: ParsedSubject): Verdict {
  const side = advisory.packageKind === "SOURCE" ? "source" : "binary";
  trace?.step(
    "other-kind",
    `the advisory is about the ${side} ${advisory.packageName}, the ${side} here is ${subject.name}`,
  );
  return notAffected("other-kind");
}

function isThirdParty({ repositories }: IndexRecord): boolean {
  return repositories.some(({ key }) => key === thirdPartyKey);
}

function thirdParty({ record, trace }: Case): Verdict {
  const names = record.repositories.filter(({ key }) => key === thirdPartyKey).map(({ name }) => name ?? "unknown");
  trace?.step("third-party-package", `made by ${names.join(", ")}: the distribution's advisories do not apply to it`);
  return undecided("third-party-package");
}

function otherArch({ record, advisory: { arch }, trace }: Case): Verdict {
  trace?.step("other-arch", `${record.package.arch} does not meet "${arch?.operation} ${arch?.value}"`);
  return notAffected("other-arch");
}

/** The name and parsed version by which a package is compared with advisories. */
interface ParsedSubject {
  readonly name: string;
  readonly installed: Installed;
}

/** Finds the subject of a package: its binary or its source. */
type SubjectOf = (found: Package, kind: PackageKind) => ParsedSubject;

/** Caches the subjects of packages, each of which is compared with many advisories. */
function memoizeSubjects(rules: DistributionRules): SubjectOf {
  const binaries = new WeakMap<Package, ParsedSubject>();
  const sources = new WeakMap<Package, ParsedSubject>();
  return (found, kind) => {
    const cache = kind === "SOURCE" ? sources : binaries;
    const known = cache.get(found);
    if (known !== undefined) return known;
    const { name, version: text, versions: scheme } = rules.subjectOf(found, kind);
    const subject = { name, installed: { scheme, text, version: findVersion(scheme, text) } };
    cache.set(found, subject);
    return subject;
  };
}
