import type { Digest } from "./digest.ts";
import type { Distribution } from "./distribution.ts";
import type { Package, PackageRepository } from "./package.ts";
import type { PackageDetails } from "./package-details.ts";

/** Steps of indexing, in order; `IndexError` ends a failed run. */
export const indexStates = [
  "CheckManifest",
  "FetchLayers",
  "ScanLayers",
  "Coalesce",
  "IndexManifest",
  "IndexFinished",
  "IndexError",
] as const satisfies readonly IndexProgress[];

/** The step that an indexing run has reached. */
export type IndexProgress = IndexReport["state"];

/** Where a package was seen. */
export interface Environment {
  /** Path of the database, without a leading slash. */
  readonly packageDb: string;
  /** The layer that added the package. Absent in reports of other indexers that do not say it. */
  readonly introducedIn?: Digest;
  /** The release whose advisories apply to the package. */
  readonly distributionId?: string;
  readonly repositoryIds: readonly string[];
}

/** What a package of an image needs. */
export interface PackageDependencies {
  /** The ids of the packages that it needs or uses, in their order. */
  readonly packageIds: readonly string[];
  /** What it needs and no package of the image meets, in the words of its packaging system. */
  readonly unmet?: readonly string[];
  /** Set if its record does not say what it needs, and something else shows only a part. */
  readonly isPartial?: true;
}

/** A file of the finished image that a packaging system lists as one of a package. */
export interface ListedFile {
  /** Without a leading slash. */
  readonly path: string;
  /** `md5:`, `sha1:`, `sha256:` … and hex digits, as the list states it. Absent: it states none, or a later layer changed the file. */
  readonly digest?: string;
  /** The layer that has the file. */
  readonly layer: Digest;
}

/** The result of indexing one image manifest. Plain data: it can be serialized as it is. */
export interface IndexReport {
  readonly manifestDigest: Digest;
  /** The step that the run has reached; `IndexError` ends a failed run. */
  readonly state:
    | "CheckManifest"
    | "FetchLayers"
    | "ScanLayers"
    | "Coalesce"
    | "IndexManifest"
    | "IndexFinished"
    | "IndexError";
  readonly success: boolean;
  readonly error?: string;
  /** Packages, distributions and repositories by their ids; ids are decimal numbers in a stable order. */
  readonly packages: Readonly<Record<string, Package>>;
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  /** By package id. */
  readonly environments: Readonly<Record<string, readonly Environment[]>>;
  /** What the records of packages say about them besides, by package id. Absent if it was not looked for. */
  readonly details?: Readonly<Record<string, PackageDetails>>;
  /** What packages need, by package id; of packages that say so. Absent if it was not looked for. */
  readonly dependencies?: Readonly<Record<string, PackageDependencies>>;
  /** The files of packages, by package id; of packages whose packaging system lists them. Absent if they were not looked for. */
  readonly files?: Readonly<Record<string, readonly ListedFile[]>>;
  readonly coverage: Coverage;
}

/** A part of an image or feed that could not be read, or a plug-in that failed. */
export interface Problem {
  /** The place: a path in the image, a layer digest, a feed location, the name of a plug-in. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
}

/**
 * The `code` of the problem that a report without a coverage has: another scanner made it, and does not say what it read. Nothing found is then
 * no proof that there is nothing.
 */
export const coverageUnknown = "coverage_unknown";

/** The outcome of reading one layer. */
export type LayerCoverage = Coverage["layers"][number];

/** One package database of the image. */
export type DatabaseCoverage = Coverage["databases"][number];

/** The kinds of packages of which an image can contain evidence that no detector reads. */
export const unassessedKinds = [
  // packages of programming languages
  "java",
  "npm",
  "python",
  "ruby",
  "go",
  "rust",
  "dotnet",
  "php",
  "conda",
  "dart",
  "elixir",
  "swift",
  "cpp",
  "r",
  "perl",
  "lua",
  "erlang",
  "haskell",
  "julia",
  "ocaml",
  "bitnami",
  // packages of operating systems and package managers
  "dpkg",
  "rpm",
  "apk",
  "pacman",
  "portage",
  "nix",
  "opkg",
  "snap",
  "flatpak",
  "homebrew",
  // of a distribution whose package manager is not known, of a package manager that is not read, or of an image in the image
  "other",
] as const;

/** A kind of packages by which unassessed evidence is counted. */
export type UnassessedKind = (typeof unassessedKinds)[number];

/** One path that is evidence of packages. */
export type EvidencePath = UnassessedPackages["evidence"][number];

/** Evidence of packages of one kind that no detector reads. */
export type UnassessedPackages = Coverage["unassessed"][number];

/**
 * The facts about a package by which advisories are found, or with which they are compared. `ecosystem`: a distribution or language whose
 * advisories are known. `owner`: the distribution's package that owns the file of a language's package. `maker`: who made a package of a
 * distribution, itself or a third party. `statement`: what no fact about the package tells, because an advisory itself does not say whether the package is
 * affected.
 */
export const packageFacts = [
  "ecosystem",
  "release",
  "group",
  "source",
  "module",
  "epoch",
  "owner",
  "maker",
  "version",
  "statement",
] as const;

/** A fact about a package that a verdict needs. */
export type PackageFact = (typeof packageFacts)[number];

/** Packages that cannot be judged, because a fact about them is not known. */
export type UndecidedPackages = NonNullable<Coverage["undecided"]>[number];

/** The maximal number of paths of one kind that a report lists; all are counted. */
export const maxEvidencePaths = 100;

/**
 * Which parts of an image were read and which were not, so that "nothing found" differs from "could not be read".
 * `partial` if a layer or a database could not be read completely, if the image has packages that no detector reads, or if packages
 * cannot be judged, also because no loaded feed covers them.
 */
export interface Coverage {
  readonly status: "complete" | "partial";
  /** Empty if they are not known, see {@link coverageUnknown}. */
  readonly layers: readonly {
    readonly digest: Digest;
    /** `foreign`: its content is not stored with the image, or it is not a file system layer; the message says which. */
    readonly status: "read" | "foreign";
    readonly message?: string;
  }[];
  /** The package databases of the image. */
  readonly databases: readonly {
    readonly path: string;
    readonly layer: Digest;
    readonly packages: number;
  }[];
  readonly problems: readonly Problem[];
  /** Packages of the image that no detector reads, in the order of {@link unassessedKinds}. */
  readonly unassessed: readonly {
    readonly kind: UnassessedKind;
    /** The number of pieces of evidence in the finished image. */
    readonly count: number;
    /** The first of them by path, at most {@link maxEvidencePaths}. */
    readonly evidence: readonly {
      readonly path: string;
      readonly layer: Digest;
    }[];
  }[];
  /** The number of packages that the distribution did not build. */
  readonly thirdPartyPackages: number;
  /** Packages that cannot be judged, in the order of {@link packageFacts}. Absent where there are none, and before matching. */
  readonly undecided?: readonly {
    readonly fact: PackageFact;
    /** Ids of packages of the report, in their order. */
    readonly packageIds: readonly string[];
  }[];
}
