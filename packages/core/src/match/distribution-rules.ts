import type { AdvisoryRule } from "../model/advisory.ts";
import type { Distribution } from "../model/distribution.ts";
import type { Package, PackageKind, PackageRepository } from "../model/package.ts";
import type { IndexRecord, NotAffectedReason, UndecidedReason } from "../plugins/matcher.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";

/** The name and version that an advisory is compared with: those of the binary, or of the source it was built from. */
export interface Subject {
  readonly name: string;
  /** As printed. */
  readonly version: string;
  /** The version scheme of this version; mostly the packaging system's own. */
  readonly versions: VersionScheme;
}

/** Whether an advisory can apply to a package, before versions are compared. */
export type Scope =
  | { readonly kind: "same" }
  | { readonly kind: "other"; readonly reason: NotAffectedReason; readonly detail: string }
  /** Unknown; the verdict is undecided if the advisory covers the version. */
  | { readonly kind: "unknown"; readonly reason: UndecidedReason; readonly detail: string };

/** The rules in which matchers of distributions differ. */
export interface DistributionRules {
  readonly name: string;
  /** `Matcher.keysRevision`: increased when a change alters the keys of a package. */
  readonly keysRevision: number;
  /** The keys of the advisories for packages of a release, the one that a feed must cover first; none where no feed covers the release. */
  ecosystemsOf(distribution: Distribution, repositories: readonly PackageRepository[]): readonly string[];
  /**
   * The key of a newer release that the package was made in, whose advisories are then looked up as well; those of the image's release do not state
   * that such a package is not affected. Undefined for a package of the image's own release. Absent: no version says so.
   */
  newerReleaseOf?(record: IndexRecord): string | undefined;
  /** Whether packages of an operating system (os-release `ID`) are those of this matcher, if their release is known. */
  isFor(did: string): boolean;
  /**
   * Set if every version of a package has a release, after the last hyphen. One that a document states without it is not compared with a version that
   * differs from it only by the release.
   */
  readonly hasReleases?: true;
  /** Whether feeds have advisories about source packages of the operating system. */
  namesSources(did: string): boolean;
  subjectOf(found: Package, kind: PackageKind): Subject;
  scopeOf(record: IndexRecord, advisory: AdvisoryRule): Scope;
}

/** The scope of a packaging system that only has names, architectures and versions. */
export const sameScope: Scope = { kind: "same" };

/** The binary, or its source with the source's version. A package without a source counts as its own source. */
export function plainSubject(found: Package, kind: PackageKind, versions: VersionScheme): Subject {
  const { name, version } = kind === "SOURCE" ? (found.source ?? found) : found;
  return { name, version, versions };
}
