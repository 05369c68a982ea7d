import type { Distribution } from "../model/distribution.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";

/** A package database that is in the layer, even when it lists nothing. */
export interface DatabaseFinding {
  readonly kind: "database";
  readonly path: string;
}

/** An installed package. */
export interface PackageFinding {
  readonly kind: "package";
  /** The database's path; for a package without one, the path of the file that proves it. */
  readonly packageDb: string;
  readonly package: FoundPackage;
  /** The repository of its ecosystem, where the file that lists it says which: a bill of materials has packages of several languages. */
  readonly repository?: Omit<PackageRepository, "id">;
  /** Who made the package, when it is recognizably not the distribution. */
  readonly thirdParty?: string;
  /** The repository that its package manager says it installed the package from. */
  readonly installedFrom?: string;
  /** The file that proves the package, where `packageDb` names a part of it: `app.war` of `app.war:WEB-INF/lib/a.jar`. */
  readonly file?: string;
  /** Where a lock file says that the package is needed to develop the project and not to run it. */
  readonly development?: true;
  /** The parts of the package that the program has, where the file tells: see `linkedPartsKey`. */
  readonly linkedParts?: readonly string[];
  /** The package of the operating system that owns that file. The engine fills it in from what `FileOwners` say. */
  readonly ownedBy?: string;
}

/** An operating system release. */
export interface DistributionFinding {
  readonly kind: "distribution";
  readonly path: string;
  readonly distribution: Omit<Distribution, "id">;
}

/** A source of packages. */
export interface RepositoryFinding {
  readonly kind: "repository";
  readonly path: string;
  readonly repository: Omit<PackageRepository, "id">;
}

/** Something that is there but could not be read. */
export interface ProblemFinding {
  readonly kind: "problem";
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A path that shows that packages are there which no detector reads. */
export interface EvidenceFinding {
  readonly kind: "evidence";
  readonly path: string;
  readonly packages: UnassessedKind;
  /** How many pieces of evidence the path stands for: 1 unless a layer has more of one kind than are listed. */
  readonly pieces: number;
}

/** Files that a document lists as parts of what it describes: what such a file says of itself is no second package. */
export interface ListingFinding {
  readonly kind: "listing";
  /** Of the document. */
  readonly path: string;
  /** As the layer names them. A file of the list need not be there. */
  readonly files: readonly string[];
}

/** A result of a detector for one layer. Plain data: findings are stored per layer. */
export type Finding =
  | DatabaseFinding
  | DistributionFinding
  | EvidenceFinding
  | ListingFinding
  | PackageFinding
  | ProblemFinding
  | RepositoryFinding;
