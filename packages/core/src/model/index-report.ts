import type { Digest } from "./digest.ts";
import type { Distribution } from "./distribution.ts";
import type { Package, PackageRepository } from "./package.ts";

/** Steps of indexing, in order; `IndexError` ends a failed run. */
export const indexStates = [
  "CheckManifest",
  "FetchLayers",
  "ScanLayers",
  "Coalesce",
  "IndexManifest",
  "IndexFinished",
  "IndexError",
] as const;

/** How far an indexing run has come. */
export type IndexProgress = (typeof indexStates)[number];

/** Where a package was seen. */
export interface Environment {
  /** Path of the database, without a leading slash. */
  readonly packageDb: string;
  /** The layer that brought the package. */
  readonly introducedIn: Digest;
  /** The release whose advisories speak of the package. */
  readonly distributionId?: string;
  readonly repositoryIds: readonly string[];
}

/** The result of indexing one image manifest. Plain data: it can be stored and sent as it is. */
export interface IndexReport {
  readonly manifestDigest: Digest;
  readonly state: IndexProgress;
  readonly success: boolean;
  readonly error?: string;
  /** Packages, distributions and repositories by their ids; ids are decimal numbers in a stable order. */
  readonly packages: Readonly<Record<string, Package>>;
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  /** By package id. */
  readonly environments: Readonly<Record<string, readonly Environment[]>>;
  readonly coverage: Coverage;
}

/** Something that could not be read. */
export interface Problem {
  /** What it is about: a path in the image, a layer digest, a feed location. */
  readonly at: string;
  readonly code: string;
  readonly message: string;
}

/** The outcome of reading one layer. */
export interface LayerCoverage {
  readonly digest: Digest;
  /** `foreign`: its content is not kept with the image, or it is no file system; the message says which. */
  readonly status: "read" | "foreign";
  readonly message?: string;
}

/** One package database that the image holds. */
export interface DatabaseCoverage {
  readonly path: string;
  readonly layer: Digest;
  readonly packages: number;
}

/** The kinds of packages that an image can hold evidence of while no detector reads them. */
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
  // packages of a distribution whose package manager is not known here
  "other",
] as const;

/** A kind of packages by which unassessed evidence is counted. */
export type UnassessedKind = (typeof unassessedKinds)[number];

/** One path that shows that packages are there. */
export interface EvidencePath {
  readonly path: string;
  readonly layer: Digest;
}

/** Evidence of packages of one kind that no detector reads. */
export interface UnassessedPackages {
  readonly kind: UnassessedKind;
  /** How many pieces of evidence are in the finished image. */
  readonly count: number;
  /** The first of them by path, at most {@link maxEvidencePaths}. */
  readonly evidence: readonly EvidencePath[];
}

/** How many paths of one kind a report names; all are counted. */
export const maxEvidencePaths = 100;

/**
 * What was looked at and what was not, so that "nothing found" is never the answer to "could not tell".
 * `partial` as soon as a layer or a database could not be read completely, or packages are there that no detector reads.
 */
export interface Coverage {
  readonly status: "complete" | "partial";
  readonly layers: readonly LayerCoverage[];
  readonly databases: readonly DatabaseCoverage[];
  readonly problems: readonly Problem[];
  /** Packages that are there and that no detector reads, in the order of {@link unassessedKinds}. */
  readonly unassessed: readonly UnassessedPackages[];
  /** Packages that the distribution did not make. */
  readonly thirdPartyPackages: number;
}
