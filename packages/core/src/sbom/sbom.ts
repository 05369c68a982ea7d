import type { Distribution } from "../model/distribution.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";

/** A bill of materials, whatever its form. */
export interface Sbom {
  readonly format: SbomFormat;
  /** What it is about: the name of an image, of an application. */
  readonly subject?: SbomSubject;
  /** The operating system that it names. */
  readonly distribution?: Omit<Distribution, "id">;
  /** In document order, nested ones behind what they are part of. */
  readonly packages: readonly SbomPackage[];
  /** Parts that were left out because they cannot be read. */
  readonly problems: readonly SbomProblem[];
}

/** The forms that are read. */
export type SbomFormat = "CycloneDX" | "SPDX" | "Syft";

/** The subject of a bill of materials. */
export interface SbomSubject {
  readonly name: string;
  readonly version?: string;
}

/** A package of a bill of materials, with all that matching looks at. */
export interface SbomPackage {
  /** By which the document refers to it: `bom-ref`, `SPDXID`; empty where it has none. */
  readonly reference: string;
  readonly package: FoundPackage;
  /** As the document has it. */
  readonly purl?: string;
  /** The release whose advisories speak of the package. */
  readonly distribution?: Omit<Distribution, "id">;
  /** Of a language's package, the repository of its ecosystem; none where no ecosystem is known for it. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  /** Paths at which it was found, without leading slash. */
  readonly locations: readonly string[];
}

/** A problem in a bill of materials. */
export interface SbomProblem {
  /** `components[3]`, `packages[1]`. */
  readonly at: string;
  readonly message: string;
}
