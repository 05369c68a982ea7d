import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import type { AdvisoryRule } from "../model/advisory.ts";
import type { PackageFact } from "../model/index-report.ts";
import type { Package, PackageRepository } from "../model/package.ts";
import { qualifiersOf } from "../model/purl-qualifiers.ts";
import type { IndexRecord, Matcher, Trace, UndecidedReason, Verdict } from "../plugins/matcher.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { findVersion } from "../versions/define-order.ts";
import { judgeVersion, notAffected, undecided } from "./judge-version.ts";
import { isUnstated } from "./missing-facts.ts";
import { ownerOf } from "./owners.ts";
import type { Installed } from "./range.ts";

/** The rules in which matchers of languages differ. */
export interface LanguageRules {
  readonly name: string;
  /** `Matcher.keysRevision`: increased when a change alters the keys of a package. */
  readonly keysRevision: number;
  /** The name of the repository of the language's packages, as detectors and other indexers give it. */
  readonly repository: string;
  /** The OSV ecosystem whose advisories are looked up. */
  readonly ecosystem: string;
  readonly versions: VersionScheme;
  /** The name of a package in advisories; its own where absent. Undefined where no advisory can be about it, or where it is not known. */
  nameOf?(found: Package): string | undefined;
  /** The fact that a package lacks if `nameOf` gives no name. Absent where no advisory can then be about the package. */
  readonly namedBy?: PackageFact;
  /** See {@link Matcher.possibleNames}: makes the function from all names in advisories. */
  namesAmong?(names: readonly string[]): (record: IndexRecord) => readonly string[] | undefined;
  /** The version of a package to compare; its own where absent. */
  versionOf?(found: Package): string;
  /** What the version of a package can be compared with, if it is not that of a release. Absent or undefined: with all versions. */
  unreleased?(record: IndexRecord): Unreleased | undefined;
  /** Whether the package contains the parts that an advisory is about; undefined for an advisory about the whole package. */
  findParts?(record: IndexRecord, advisory: AdvisoryRule): PartsFinding | undefined;
}

/** Whether a package contains the parts that an advisory is about. `unknown`: the verdict is about the whole package. */
export interface PartsFinding {
  readonly kind: "present" | "absent" | "unknown";
  readonly detail: string;
}

/** A version that is not that of a release. */
export interface Unreleased {
  /** Reads this version, and those of advisories that it can be compared with; other versions are malformed. */
  readonly versions: VersionScheme;
  readonly text: string;
  /** Why other versions decide nothing. */
  readonly detail: string;
}

/**
 * The matcher for one language's packages. A package whose file belongs to a distribution package is left to the
 * distribution's advisories, which know its backported fixes; see {@link describedOwner}.
 * @example
 * declare const versions: VersionScheme;
 * const matcher = languageMatcher({ name: "gem", keysRevision: 1, repository: "gem", ecosystem: "RubyGems", versions });
 */
export function languageMatcher(rules: LanguageRules): Matcher {
  const { nameOf = ({ name }) => name, ecosystem, namedBy, namesAmong } = rules;
  const installedOf = rememberInstalled(rules);
  const isOwn = ({ repositories, sameSoftware }: IndexRecord) =>
    sameSoftware === undefined && isOf(repositories, rules.repository);
  const namesOf = (record: IndexRecord): readonly string[] => {
    if (!isOwn(record)) return [];
    const name = nameOf(record.package);
    if (name !== undefined) return [name, ...(record.possibleNames ?? [])];
    // by its own name there is no advisory, but its ecosystem has to be covered
    return record.possibleNames === undefined ? [] : [record.package.name, ...record.possibleNames];
  };
  return {
    name: rules.name,
    keysRevision: rules.keysRevision,
    accepts: (record) => namesOf(record).length > 0,
    keys: (record) => namesOf(record).map((name) => ({ ecosystem, name })),
    possibleNames: namesAmong && { ecosystem, among: namesAmong },
    missingFacts:
      namedBy === undefined
        ? undefined
        : (record: IndexRecord) => {
            const isUnnamed = isOwn(record) && namesOf(record).length === 0;
            return isUnnamed && describedOwner(record) === undefined ? [namedBy] : [];
          },
    judge: (record, advisory, trace) =>
      judge({ rules, installed: installedOf(record.package), record, advisory, trace }),
  };
}

function isOf(repositories: readonly PackageRepository[], name: string): boolean {
  return repositories.some((repository) => repository.name === name);
}

/** Caches the parsed version of a package, which is compared with many advisories. */
function rememberInstalled({ versions: scheme, versionOf = ({ version }) => version }: LanguageRules) {
  const cache = new WeakMap<Package, Installed>();
  return (found: Package): Installed => {
    const known = cache.get(found);
    if (known !== undefined) return known;
    const text = versionOf(found);
    const installed = { scheme, text, version: findVersion(scheme, text) };
    cache.set(found, installed);
    return installed;
  };
}

interface Case {
  readonly rules: LanguageRules;
  readonly installed: Installed;
  readonly record: IndexRecord;
  readonly advisory: AdvisoryRule;
  readonly trace: Trace | undefined;
}

function judge({ rules, installed, record, advisory, trace }: Case): Verdict {
  const owner = describedOwner(record);
  if (owner !== undefined) {
    trace?.step("distribution-package", owner);
    return notAffected("distribution-package");
  }
  if (qualifiersOf(record.repositories).private === "true") {
    trace?.step(
      "private-package",
      "its description says that it is private, so the published package of its name is another",
    );
    return notAffected("private-package");
  }
  const unreleased = rules.unreleased?.(record);
  const verdict =
    unreleased === undefined
      ? judgeVersion({ advisory, installed, trace })
      : judgeUnreleased(unreleased, advisory, trace);
  if (verdict.kind === "not-affected") return verdict;
  if (rules.namedBy !== undefined && record.possibleNames !== undefined && !isNamed(rules, record, advisory)) {
    trace?.step("group-unknown", `the package may be ${advisory.packageName}`);
    return undecided("group-unknown");
  }
  const parts = rules.findParts?.(record, advisory);
  if (parts !== undefined) trace?.step(partsRules[parts.kind], parts.detail);
  return parts?.kind === "absent" ? notAffected("part-not-linked") : verdict;
}

/** Whether an advisory is about the whole name of a package, and not about one that it may have. */
function isNamed({ nameOf = ({ name }) => name }: LanguageRules, record: IndexRecord, advisory: AdvisoryRule): boolean {
  return nameOf(record.package) !== undefined && record.possibleNames?.includes(advisory.packageName) !== true;
}

/** Judges a version that is not that of a release: undecided, unless the ranges decide that it can be compared with. */
function judgeUnreleased(unreleased: Unreleased, advisory: AdvisoryRule, trace: Trace | undefined): Verdict {
  const { versions: scheme, text, detail } = unreleased;
  const installed = { scheme, text, version: findVersion(scheme, text) };
  const known = trace === undefined ? undefined : recorded();
  const verdict = judgeVersion({ advisory, installed, trace: known });
  const hasOther = advisory.versions.some((version) => findVersion(scheme, version) === undefined);
  const isOpen = verdict.kind === "undecided" && incomparable.has(verdict.reason);
  const isOutside = verdict.kind === "not-affected" && verdict.reason !== "vendor-statement";
  if (isOpen || (isOutside && hasOther)) {
    trace?.step("version-unknown", detail);
    return undecided("version-unknown");
  }
  for (const [rule, why] of known?.steps ?? []) trace?.step(rule, why);
  return verdict;
}

const incomparable: ReadonlySet<UndecidedReason> = new Set([
  "malformed-advisory-version",
  "malformed-package-version",
  "version-unknown",
]);

/** A trace whose steps may turn out not to count. */
function recorded(): Trace & { readonly steps: readonly (readonly [rule: string, detail: string])[] } {
  const steps: (readonly [string, string])[] = [];
  return { steps, step: (rule, detail) => steps.push([rule, detail]) };
}

const partsRules = { present: "part-linked", absent: "part-not-linked", unknown: "whole-package" } as const;

const keysOf = advisoryKeys(allDistributions.filter(({ listsUnfixed }) => listsUnfixed === true));

/**
 * A sentence that names the distribution package which owns a language package, where the distribution's advisories decide about
 * it; undefined for other packages. A distribution that lists only fixed vulnerabilities does not decide: advisories of the language
 * are used, since unfixed ones are listed only there. Neither does a package that others than the distribution may have made.
 */
function describedOwner(record: IndexRecord): string | undefined {
  const { distribution, repositories } = record;
  const owner = ownerOf(record);
  if (isUnstated(record, "maker")) return undefined;
  const [ecosystem] = owner === undefined || distribution === undefined ? [] : keysOf(distribution, repositories);
  if (ecosystem === undefined) return undefined;
  return `its file belongs to the package ${owner} of the distribution, which advisories of ${ecosystem} cover`;
}
