import type { Distribution } from "../model/distribution.ts";
import type { Coverage, Problem } from "../model/index-report.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";
import type { PackageDetails } from "../model/package-details.ts";

/** A bill of materials, independent of its form. */
export interface Sbom {
  readonly format: "CycloneDX" | "SPDX" | "Syft";
  /** The image or application that it describes. */
  readonly subject?: {
    readonly name: string;
    readonly version?: string;
    /** Set if the document says that it is something else than the image of a container: a folder, a file, a device. */
    readonly isFolder?: true;
  };
  /** The operating system that it names. */
  readonly distribution?: Omit<Distribution, "id">;
  /**
   * The operating systems whose packages it should list: all that it names. Absent in a document that states each of its gaps.
   * @internal
   */
  readonly systems?: readonly Omit<Distribution, "id">[];
  /** In document order; a nested package follows the one that contains it. */
  readonly packages: readonly SbomPackage[];
  /** Parts that were left out because they cannot be read. */
  readonly problems: readonly {
    /** The place in the document: `components[3]`, `packages[1]`. */
    readonly at: string;
    readonly message: string;
  }[];
  /** What it says that it lacks itself. Absent where it does not call itself incomplete. */
  readonly gaps?: {
    readonly problems: readonly Problem[];
    /** Without the paths, which documents do not state. */
    readonly unassessed: Coverage["unassessed"];
    /** Set if it only says that what its subject depends on is not all listed. @internal */
    readonly areNeeds?: true;
  };
}

/** What a document lacks by its own words: what its maker saw in the subject but could not read. */
export type SbomGaps = NonNullable<Sbom["gaps"]>;

/** The subject of a bill of materials. */
export type SbomSubject = NonNullable<Sbom["subject"]>;

/** A package of a bill of materials, with all facts that matching needs. */
export interface SbomPackage {
  /** The id of the package in the document: `bom-ref`, `SPDXID`; empty if it has none. */
  readonly reference: string;
  readonly package: FoundPackage;
  /** The package URL as written in the document. */
  readonly purl?: string;
  /** The release whose advisories apply to the package. */
  readonly distribution?: Omit<Distribution, "id">;
  /** For a language's package, the repository of its ecosystem; empty if the ecosystem is unknown. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  /** Paths where it was found, without leading slash. */
  readonly locations: readonly string[];
  /** Set if the document says who made the package. */
  readonly statesMaker?: true;
  /** What the document says about it besides: licences, makers. */
  readonly details?: PackageDetails;
  /** The ids of the entries that it needs. Absent: the document does not say. */
  readonly needs?: {
    readonly references: readonly string[];
    /** Set if it is not known whether that is all. */
    readonly isPartial?: true;
    /** Set if it needs something besides that the document does not list. */
    readonly isIncomplete?: true;
  };
  /** Set if the document says which epoch the package has, or that it has none, apart from the version. */
  readonly statesEpoch?: true;
}

/** A problem in a bill of materials. */
export type SbomProblem = Sbom["problems"][number];
