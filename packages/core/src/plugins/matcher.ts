import type { AdvisoryRule } from "../model/advisory.ts";
import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { Package, PackageRepository } from "../model/package.ts";

/** One package with where it comes from: the unit of matching. */
export interface IndexRecord {
  readonly package: Package;
  readonly packageDb: string;
  /** The layer that brought the package, where that is known. */
  readonly introducedIn?: Digest;
  readonly distribution?: Distribution;
  readonly repositories: readonly PackageRepository[];
  /** The packages of the distribution that own the package's files, as the same image has them; absent where none does. */
  readonly owners?: readonly IndexRecord[];
}

/** What advisories are looked up by, forwards (package → advisories) and backwards (advisory → packages). */
export interface MatchKey {
  readonly ecosystem: string;
  readonly name: string;
}

/** Writes down why a verdict was reached; `explain` prints it. */
export interface Trace {
  step(rule: string, detail: string): void;
}

/** The decision of a matcher about one package and one advisory. */
export type Verdict =
  | { readonly kind: "affected"; readonly fixedInVersion?: string }
  | { readonly kind: "not-affected"; readonly reason: NotAffectedReason }
  | { readonly kind: "undecided"; readonly reason: UndecidedReason };

/** Why an advisory does not apply. `vendor-statement` and `part-not-linked` also overrule other advisories of the same vulnerability. */
export type NotAffectedReason =
  | "distribution-package"
  | "fixed"
  | "outside-range"
  | "other-arch"
  | "other-flavour"
  | "other-kind"
  | "other-module"
  | "other-product"
  | "part-not-linked"
  | "vendor-statement";

/** Why a verdict is undecided. */
export type UndecidedReason =
  | "malformed-advisory-version"
  | "malformed-package-version"
  | "matcher-failed"
  | "module-unknown"
  | "product-unknown"
  | "third-party-package"
  | "vendor-undetermined"
  | "version-unknown";

/** Decides whether advisories of one kind apply to packages of one kind. */
export interface Matcher {
  readonly name: string;
  /** Raised when a package would be looked up under other keys: keys that are stored are then made anew. */
  readonly keysRevision: number;
  accepts(record: IndexRecord): boolean;
  /** Forward look-up and reverse index from one function; the first key's ecosystem is the one a feed must cover. */
  keys(record: IndexRecord): readonly MatchKey[];
  /** Pure. Called with advisories found by `keys`. */
  judge(record: IndexRecord, advisory: AdvisoryRule, trace?: Trace): Verdict;
}
