/** Whether a package is what was installed or what that was built from. */
export type PackageKind = "BINARY" | "SOURCE";

/** An installed unit, as its package database says. */
export interface Package {
  /** Unique within one report. */
  readonly id: string;
  readonly name: string;
  /** As printed by the packaging system; for rpm `[epoch:]version-release`. */
  readonly version: string;
  readonly kind: PackageKind;
  /** What this binary was built from, with the source's own version. */
  readonly source?: Package;
  /** `kind:` and ten dot-joined integers; never used for a decision (`docs/concepts/versions.md`). */
  readonly normalizedVersion?: string;
  /** `name:stream` of a modular rpm. */
  readonly module?: string;
  readonly arch?: string;
  readonly cpe?: string;
}

/** A package as a detector finds it, before a report gives it an id. */
export interface FoundPackage extends Omit<Package, "id" | "source"> {
  readonly source?: FoundPackage;
}

/** Where packages come from: an apt suite, a content set, PyPI. */
export interface PackageRepository {
  readonly id: string;
  readonly name?: string;
  /** What programs compare; `third-party` marks packages that the distribution does not ship. */
  readonly key?: string;
  readonly uri?: string;
  readonly cpe?: string;
}

/** The `key` of the repositories of programming languages' packages: PyPI, npm. */
export const languageKey = "language";

/**
 * The `key` of what is no repository but a package of the distribution, by its name: it owns the file that proves a language's
 * package, so that the distribution's advisories speak of that too.
 */
export const distributionPackageKey = "distribution-package";

/** The `key` of repositories that an image's content manifest names: Red Hat calls them content sets. */
export const contentSetKey = "content-set";

/** The `key` of the repository that dnf installed a package from, as its history says. */
export const dnfRepositoryKey = "dnf-repository";

/** The `key` of what names a product by its CPE name, as index reports of Clair have it and labels of containers. */
export const cpeRepositoryKey = "rhel-cpe-repository";

/** The `key` of what is no repository but says what a project needs a package for. */
export const scopeKey = "scope";

/** The name of the {@link scopeKey} of packages that a project needs to develop it, and not to run it. */
export const developmentScope = "development";

/**
 * The `key` of what is no repository but names the parts of a package that a program has, with blanks between them: packages of a Go module by
 * their paths below that of the module, `.` for the one at its root. Absent where that is not known.
 */
export const linkedPartsKey = "linked-parts";

/** The name of the repository of containers of Red Hat as packages; its `key` is that of languages. */
export const redhatContainerRepository = "redhat-container";

/** The `key` of repositories whose packages the distribution's advisories do not speak of. */
export const thirdPartyKey = "third-party";
