import type { AdvisoryRule } from "../model/advisory.ts";
import type { Package, PackageRepository } from "../model/package.ts";
import type { IndexRecord, Matcher, Trace, UndecidedReason, Verdict } from "../plugins/matcher.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { findVersion } from "../versions/define-order.ts";
import { describedOwner } from "./distribution-owner.ts";
import { judgeVersion, notAffected, undecided } from "./judge-version.ts";
import type { Installed } from "./range.ts";

/** What tells the matchers of languages apart. */
export interface LanguageRules {
  readonly name: string;
  /** Of the matcher: raised when a package would be looked up under other keys. */
  readonly keysRevision: number;
  /** The name of the repository that packages of the language are of: what detectors say, and what other indexers do. */
  readonly repository: string;
  /** The OSV ecosystem whose advisories are looked up. */
  readonly ecosystem: string;
  readonly versions: VersionScheme;
  /** The name that advisories have for a package; its own where absent. Undefined where no advisory can be about it. */
  nameOf?(found: Package): string | undefined;
  /** The text that is compared as its version; its own where absent. */
  versionOf?(found: Package): string;
  /** Why nothing can be said of a package and an advisory that covers its version. */
  doubt?(found: Package, advisory: AdvisoryRule): Doubt | undefined;
  /** Whether the parts that an advisory is about are there; undefined for an advisory about the whole package. */
  partsSpokenOf?(record: IndexRecord, advisory: AdvisoryRule): PartsFinding | undefined;
}

/** What is known of the parts of a package that an advisory is about. `unknown`: the verdict is about the whole package. */
export interface PartsFinding {
  readonly kind: "present" | "absent" | "unknown";
  readonly detail: string;
}

/** A reason not to decide. */
export interface Doubt {
  readonly reason: UndecidedReason;
  readonly detail: string;
}

/**
 * The matcher of one language's packages. A package whose file belongs to a package of the distribution is left to the
 * distribution's advisories, which know what was patched; see {@link describedOwner}.
 * @example
 * declare const versions: VersionScheme;
 * const matcher = languageMatcher({ name: "gem", keysRevision: 1, repository: "gem", ecosystem: "RubyGems", versions });
 */
export function languageMatcher(rules: LanguageRules): Matcher {
  const { nameOf = ({ name }) => name, ecosystem } = rules;
  const installedOf = rememberInstalled(rules);
  return {
    name: rules.name,
    keysRevision: rules.keysRevision,
    accepts: (record) => isOf(record.repositories, rules.repository) && nameOf(record.package) !== undefined,
    keys: ({ package: found }) => {
      const name = nameOf(found);
      return name === undefined ? [] : [{ ecosystem, name }];
    },
    judge: (record, advisory, trace) =>
      judge({ rules, installed: installedOf(record.package), record, advisory, trace }),
  };
}

function isOf(repositories: readonly PackageRepository[], name: string): boolean {
  return repositories.some((repository) => repository.name === name);
}

/** The version of a package is compared with those of many advisories. */
function rememberInstalled({ versions: scheme, versionOf = ({ version }) => version }: LanguageRules) {
  const remembered = new WeakMap<Package, Installed>();
  return (found: Package): Installed => {
    const known = remembered.get(found);
    if (known !== undefined) return known;
    const text = versionOf(found);
    const installed = { scheme, text, version: findVersion(scheme, text) };
    remembered.set(found, installed);
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
  const verdict = judgeVersion({ advisory, installed, trace });
  if (verdict.kind !== "affected") return verdict;
  const parts = rules.partsSpokenOf?.(record, advisory);
  if (parts !== undefined) trace?.step(partsRules[parts.kind], parts.detail);
  if (parts?.kind === "absent") return notAffected("part-not-linked");
  const doubt = rules.doubt?.(record.package, advisory);
  if (doubt === undefined) return verdict;
  trace?.step(doubt.reason, doubt.detail);
  return undecided(doubt.reason);
}

const partsRules = { present: "part-linked", absent: "part-not-linked", unknown: "whole-package" } as const;
