import type { AdvisoryRule } from "../model/advisory.ts";
import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { PackageFact } from "../model/index-report.ts";
import type { Package, PackageRepository } from "../model/package.ts";

/** One package with its distribution and repositories: the unit of matching. */
export interface IndexRecord {
  readonly package: Package;
  readonly packageDb: string;
  /** The layer that added the package, if known. */
  readonly introducedIn?: Digest;
  readonly distribution?: Distribution;
  readonly repositories: readonly PackageRepository[];
  /** The distribution's packages in the same image that own the package's files; absent if none does. */
  readonly owners?: readonly IndexRecord[];
  /**
   * All names in advisories that the package may have besides its own, if its whole name, or its capitals, are not known but these are; see
   * {@link Matcher.possibleNames}.
   * @internal
   */
  readonly possibleNames?: readonly string[];
  /** The package of a language in the same image that is the same software, and is judged in the place of this one; absent if there is none. */
  readonly sameSoftware?: IndexRecord;
}

/** The key of an advisory look-up, forwards (package → advisories) and backwards (advisory → packages). */
export interface MatchKey {
  readonly ecosystem: string;
  readonly name: string;
}

/** Records the reasons for a verdict; `explain` prints them. */
export interface Trace {
  step(rule: string, detail: string): void;
}

/** The decision of a matcher about one package and one advisory. */
export type Verdict =
  | { readonly kind: "affected"; readonly fixedInVersion?: string }
  /** Why the advisory does not apply. `vendor-statement` and `part-not-linked` also overrule other advisories of the same vulnerability. */
  | {
      readonly kind: "not-affected";
      readonly reason:
        | "distribution-package"
        | "fixed"
        | "outside-range"
        | "other-arch"
        | "other-flavour"
        | "other-kind"
        | "other-module"
        | "other-product"
        | "other-release"
        | "part-not-linked"
        | "private-package"
        | "vendor-statement";
    }
  | { readonly kind: "undecided"; readonly reason: UndecidedReason };

/** Why an advisory does not apply. */
export type NotAffectedReason = Extract<Verdict, { readonly kind: "not-affected" }>["reason"];

/** The reasons for undecided verdicts. */
export const undecidedReasons = [
  "epoch-unknown",
  "group-unknown",
  "malformed-advisory-version",
  "malformed-package-version",
  "matcher-failed",
  "module-unknown",
  "product-unknown",
  "third-party-package",
  "vendor-undetermined",
  "version-unknown",
] as const;

/** Why a verdict is undecided. */
export type UndecidedReason = (typeof undecidedReasons)[number];

/** Finds names in advisories for packages whose whole names are not known. */
export interface PossibleNames {
  /** The ecosystem of the advisories. */
  readonly ecosystem: string;
  /**
   * Makes the function that finds, among all names in advisories, those that a package may have. Its result is undefined for a package whose whole name is
   * known, and for one that may have any name.
   */
  among(names: readonly string[]): (record: IndexRecord) => readonly string[] | undefined;
}

/** Decides whether advisories of one kind apply to packages of one kind. */
export interface Matcher {
  readonly name: string;
  /** Increased when `keys` would return other keys for a package: stored keys are then rebuilt. */
  readonly keysRevision: number;
  /**
   * Set if a statement that names a fix has precedence over one that says that no version has a fix, as in feeds of distributions, which list a
   * vulnerability before its fix. Absent: any statement counts that covers the version.
   */
  readonly fixesOverrule?: true;
  accepts(record: IndexRecord): boolean;
  /** The keys for both directions of look-up. The first key's ecosystem is the one that a feed must cover. */
  keys(record: IndexRecord): readonly MatchKey[];
  /**
   * The facts about a package that `keys` would need and that are not known: without them, advisories about the package may not be found, so
   * it is undecided. Absent for a matcher whose `keys` need nothing but the name. A package without keys that lacks nothing by any matcher has
   * no known ecosystem.
   */
  missingFacts?(record: IndexRecord): readonly PackageFact[];
  /** Absent for a matcher whose packages have their whole names. @internal */
  readonly possibleNames?: PossibleNames;
  /** Pure. Called with advisories found by `keys`. */
  judge(record: IndexRecord, advisory: AdvisoryRule, trace?: Trace): Verdict;
}
