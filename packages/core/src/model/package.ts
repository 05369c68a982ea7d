/** An installed package, as its package database lists it. */
export interface Package {
  /** Unique within one report. */
  readonly id: string;
  readonly name: string;
  /** As printed by the packaging system; for rpm `[epoch:]version-release`. */
  readonly version: string;
  /** An installed package, or the source that it was built from. */
  readonly kind: "BINARY" | "SOURCE";
  /** The source package of this binary, with its own version. */
  readonly source?: Package;
  /** `kind:` and ten dot-joined integers; never used for a decision (`docs/concepts/versions.md`). */
  readonly normalizedVersion?: string;
  /** `name:stream` of a modular rpm. */
  readonly module?: string;
  readonly arch?: string;
  readonly cpe?: string;
}

/** Whether a package is an installed one or the source that it was built from. */
export type PackageKind = Package["kind"];

/** A package as a detector finds it, before a report gives it an id. */
export interface FoundPackage extends Omit<Package, "id" | "source"> {
  readonly source?: FoundPackage;
}

/** A repository of packages: an apt suite, a content set, PyPI. */
export interface PackageRepository {
  readonly id: string;
  readonly name?: string;
  /** The kind of repository, one of the constants below. */
  readonly key?: string;
  readonly uri?: string;
  readonly cpe?: string;
}

/** The `key` of the repositories of programming languages' packages: PyPI, npm. */
export const languageKey = "language";

/**
 * The `key` of an entry that is not a repository: it names the distribution package that owns the file of a language package, so
 * that the distribution's advisories apply to that too.
 */
export const distributionPackageKey = "distribution-package";

/** The `key` of repositories named in an image's content manifest, which Red Hat calls content sets. */
export const contentSetKey = "content-set";

/** The `key` of the repository that dnf installed a package from, according to its history. */
export const dnfRepositoryKey = "dnf-repository";

/** The `key` of an entry that names a product by its CPE name, as in Clair's index reports and in container labels. */
export const cpeRepositoryKey = "rhel-cpe-repository";

/** The `key` of an entry that is not a repository: the scope of a dependency. */
export const scopeKey = "scope";

/** The name with {@link scopeKey} for development dependencies, which are not needed at run time. */
export const developmentScope = "development";

/**
 * The `key` of an entry that is not a repository: its name lists the parts of a package that a program contains, separated by blanks. These are
 * packages of a Go module by their paths below that of the module, `.` for the one at its root. Absent where the parts are not known.
 */
export const linkedPartsKey = "linked-parts";

/**
 * The `key` of an entry that is not a repository: its name is one that the package may have, since its file does not state its whole name. It is a
 * guess, which no verdict is based on; `explain` lists it.
 */
export const candidateKey = "candidate";

/**
 * The `key` of an entry that is not a repository: its name is a pattern for the whole name of a package whose file does not state its whole name. One of the
 * patterns of the package matches it, whatever it is: `:demo` an artifact of this name of any group, `com.acme:` any artifact of that organization, a whole name of
 * Go that name with any capitals. Advisories with other names are not about the package. Absent where nothing is sure about the name.
 */
export const namePatternKey = "name-pattern";

/**
 * The `key` of an entry that is not a repository: its name says what another fact about the file says that the package is, such as the version in
 * the file's name. The facts do not agree; the package is what the more certain one says. `explain` lists the other.
 */
export const otherIdentityKey = "other-identity";

/**
 * The `key` of an entry that is not a repository: its name is a fact about the package, one of `packageFacts`, that the document which lists the
 * package does not state. Without such an entry, an absent source or epoch is known to be absent.
 */
export const unstatedKey = "unstated-fact";

/**
 * The `key` of an entry that is not a repository: its name is the part of the package URL with the facts that only the package's own system has, in the
 * order of their names: `build=h5eee18b_0&channel=main&subdir=linux-64`.
 */
export const qualifiersKey = "purl-qualifiers";

/**
 * The `key` of an entry that is not a repository: the package is the main module of a Go program that was not built as a release, so its version is
 * below every release by its text alone. The name is the commit, its time and the begin of its revision (`20240102030405-abcdef123456`), or
 * {@link unknownCommit}.
 */
export const mainModuleKey = "main-module";

/** The name with {@link mainModuleKey} where the program does not state its commit. */
export const unknownCommit = "unknown-commit";

/** The name of the repository whose packages are Red Hat's containers; its `key` is {@link languageKey}. */
export const redhatContainerRepository = "redhat-container";

/** The `key` of repositories to whose packages the distribution's advisories do not apply. */
export const thirdPartyKey = "third-party";
