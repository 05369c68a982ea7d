import type { Distribution } from "../../model/distribution.ts";
import type { PackageKind, PackageRepository } from "../../model/package.ts";

/** A system that installs the packages of a distribution. */
export type PackagingSystem = "apk" | "dpkg" | "nix" | "opkg" | "pacman" | "portage" | "rpm";

/** A release as release files describe it. */
export type Release = Omit<Distribution, "id">;

/** Looks up the key of the advisories for packages of a release; undefined where no feed speaks of it. */
export type AdvisoryKeyOf = (release: Release, repositories: readonly PackageRepository[]) => string | undefined;

/** A distribution among the ecosystems of the Open Source Vulnerability format. */
export interface OsvPart {
  /** Without the release: `Ubuntu` of `Ubuntu:22.04:LTS`. Distributions may share one. */
  readonly ecosystem: string;
  /** Whether its package names are those of sources or of what is installed. */
  readonly kind: PackageKind;
  /** The advisory key of what follows the first colon; undefined for a release or product that no image is matched with. */
  keyOf(suffix: string): string | undefined;
}

/**
 * All that the engine knows of one distribution. `docs/how-to/add-a-distribution.md` adds one. An optional member is absent
 * where there is nothing to say.
 */
export interface KnownDistribution {
  /** os-release `ID`; the file is named after it. */
  readonly did: string;
  /** How the name begins in release files without an identifier: `Debian GNU/Linux`. Of all that fit, the longest counts. */
  readonly names?: readonly string[];
  /** `vendor:product` in CPE names of the operating system, in lower case. */
  readonly cpe?: readonly string[];
  /** What installs its packages; `none` for an image that is built as a whole. */
  readonly packaging: PackagingSystem | "none";
  /** The namespace of its package URLs where that is not `did`. */
  readonly purlNamespace?: string;
  /** How the vendor tags of its rpm packages begin, in lower case. Other vendors are third parties. */
  readonly vendorTags?: readonly string[];
  /** Whether it has modules: streams of packages with versions of their own. */
  readonly hasModules?: true;
  /** The key of the advisories for packages of a release: `debian:12`. Absent where no feed speaks of its packages. */
  readonly advisoryKey?: AdvisoryKeyOf;
  /** Whether its advisories also list what is not fixed yet, so that their silence says something. */
  readonly listsUnfixed?: true;
  readonly osv?: OsvPart;
  /**
   * The last day of security support that needs no subscription for longer support, `YYYY-MM-DD`. By the release in the advisory key
   * (`12` of `debian:12`), by `VERSION_ID` where there is no key, or by the name with it: `CentOS Stream 9`.
   */
  readonly endOfLife?: Readonly<Record<string, string>>;
  /** The distribution's name in the catalog of endoflife.date where that is not `did`. */
  readonly endOfLifeProduct?: string;
  /** Whether the extended support that the catalog names beside the first is for everyone, as Debian's is. */
  readonly isExtensionFree?: true;
}
