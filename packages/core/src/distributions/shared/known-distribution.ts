import type { Distribution } from "../../model/distribution.ts";
import type { PackageKind, PackageRepository } from "../../model/package.ts";

/** A system that installs the packages of a distribution. */
export type PackagingSystem = "apk" | "dpkg" | "nix" | "opkg" | "pacman" | "portage" | "rpm";

/** A release as release files describe it. */
export type Release = Omit<Distribution, "id">;

/** Finds the key of the advisories for packages of a release; undefined where no feed covers the release. */
export type AdvisoryKeyOf = (release: Release, repositories: readonly PackageRepository[]) => string | undefined;

/** A distribution among the ecosystems of the Open Source Vulnerability format. */
export interface OsvPart {
  /** Without the release: `Ubuntu` of `Ubuntu:22.04:LTS`. Distributions may share one. */
  readonly ecosystem: string;
  /** Whether its records name source packages or binary packages. */
  readonly kind: PackageKind;
  /** Whether the feed `osv` is read for it by default: OSV is the only one with its advisories, or has more than its own feed. */
  readonly isDefault?: true;
  /** The advisory key of the text after the first colon; undefined for a release or product that no image is matched with. */
  keyOf(suffix: string): string | undefined;
}

/**
 * Facts about one distribution. `docs/how-to/add-a-distribution.md` explains how to add one.
 */
export interface KnownDistribution {
  /** os-release `ID`. */
  readonly did: string;
  /** The first words of release files that have no identifier: `Debian GNU/Linux`. The longest match wins. */
  readonly names?: readonly string[];
  /** `vendor:product` in CPE names of the operating system, in lower case. */
  readonly cpe?: readonly string[];
  /** The system that installs its packages; `none` for an image that is built as a whole. */
  readonly packaging: PackagingSystem | "none";
  /** Other systems that install its packages in some of its releases. */
  readonly otherPackaging?: readonly PackagingSystem[];
  /** The namespace of its package URLs where that is not `did`. */
  readonly purlNamespace?: string;
  /**
   * Other identifiers that tools write into package URLs and bills of materials, in lower case, with what each says besides: Trivy writes `alma`
   * for AlmaLinux.
   */
  readonly otherIds?: Readonly<Record<string, Pick<Release, "name">>>;
  /**
   * Prefixes of the vendor tags of the rpm packages that its advisories are about, in lower case. Other vendors are third parties in its images, also if
   * they are distributions: EPEL's `Fedora Project` on Rocky Linux. Absent where no feed covers it: then any distribution's vendor will do.
   */
  readonly vendorTags?: readonly string[];
  /** The name by which its packages are recognized in images of other distributions, where they are those of a third party. */
  readonly maker?: string;
  /**
   * What the addresses of its repositories of apk end with, whatever mirror has them. Its advisories say nothing about packages of other repositories.
   * Absent where that is not known.
   */
  readonly repositories?: RegExp;
  /** Whether it has modules: alternative versions of a group of packages (streams). */
  readonly hasModules?: true;
  /** The key of the advisories for packages of a release: `debian:12`. Absent where no feed covers its packages. */
  readonly advisoryKey?: AdvisoryKeyOf;
  /** Whether its advisories also list unfixed vulnerabilities, so that a package without an advisory is known to be unaffected. */
  readonly listsUnfixed?: true;
  readonly osv?: OsvPart;
  /**
   * The last day of security support without a subscription for longer support, `YYYY-MM-DD`. The key is the release in the advisory key
   * (`12` of `debian:12`), or `VERSION_ID` where there is no advisory key, or name and `VERSION_ID`: `CentOS Stream 9`.
   */
  readonly endOfLife?: Readonly<Record<string, string>>;
  /** The distribution's name in the catalog of endoflife.date where that is not `did`. */
  readonly endOfLifeProduct?: string;
  /** Whether the extended support in the catalog needs no subscription, as Debian's long-term support. */
  readonly isExtensionFree?: true;
}
