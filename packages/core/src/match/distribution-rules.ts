import type { AdvisoryRule } from "../model/advisory.ts";
import type { Distribution } from "../model/distribution.ts";
import type { Package, PackageKind, PackageRepository } from "../model/package.ts";
import type { IndexRecord, NotAffectedReason, UndecidedReason } from "../plugins/matcher.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";

/** What an advisory is compared with: the binary, or the source it was built from. */
export interface Subject {
  readonly name: string;
  /** As printed. */
  readonly version: string;
  /** The order that suits this version; mostly the packaging system's own. */
  readonly versions: VersionScheme;
}

/** Whether an advisory can be about a package at all, before versions are looked at. */
export type Scope =
  | { readonly kind: "same" }
  | { readonly kind: "other"; readonly reason: NotAffectedReason; readonly detail: string }
  /** Unknown; it only matters where the advisory covers the version. */
  | { readonly kind: "unknown"; readonly reason: UndecidedReason; readonly detail: string };

/** What tells the matchers of distributions apart. */
export interface DistributionRules {
  readonly name: string;
  /** Of the matcher: raised when a package would be looked up under other keys. */
  readonly keysRevision: number;
  /** The keys of the advisories for packages of a release, first the one that a feed must cover; none where no feed speaks of it. */
  ecosystemsOf(distribution: Distribution, repositories: readonly PackageRepository[]): readonly string[];
  subjectOf(found: Package, kind: PackageKind): Subject;
  scopeOf(record: IndexRecord, advisory: AdvisoryRule): Scope;
}

/** The scope where a packaging system knows nothing but names, architectures and versions. */
export const sameScope: Scope = { kind: "same" };

/** The binary, or its source with the source's own version. A package without source is its own. */
export function plainSubject(found: Package, kind: PackageKind, versions: VersionScheme): Subject {
  const { name, version } = kind === "SOURCE" ? (found.source ?? found) : found;
  return { name, version, versions };
}
