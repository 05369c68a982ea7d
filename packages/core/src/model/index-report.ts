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

/** What became of one layer. */
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

/**
 * What was looked at and what was not, so that "nothing found" is never the answer to "could not tell".
 * `partial` as soon as a layer or a database could not be read whole.
 */
export interface Coverage {
  readonly status: "complete" | "partial";
  readonly layers: readonly LayerCoverage[];
  readonly databases: readonly DatabaseCoverage[];
  readonly problems: readonly Problem[];
  /** Packages that come from somebody else than the distribution. */
  readonly thirdPartyPackages: number;
}
