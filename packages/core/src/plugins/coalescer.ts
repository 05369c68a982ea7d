import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";
import type { Finding, RepositoryFinding } from "./finding.ts";

/** The findings that one ecosystem's detectors made in one layer. */
export interface EcosystemLayer {
  readonly digest: Digest;
  readonly findings: readonly Finding[];
}

/** The image as all layers together make it. Layers are counted from the base, which is 0. */
export interface ImageView {
  /** Whether a file that layer `index` brought is still there in the finished image, unreplaced. */
  survives(path: string, index: number): boolean;
  /** The release in effect at a layer: the nearest one at or below it, else the nearest above. */
  distributionAt(index: number): Omit<Distribution, "id"> | undefined;
  /** Repository findings of all ecosystems whose files are still there, base first. */
  readonly repositories: readonly RepositoryFinding[];
}

/** A package of the finished image. */
export interface CoalescedPackage {
  readonly package: FoundPackage;
  readonly packageDb: string;
  readonly introducedIn: Digest;
  readonly distribution?: Omit<Distribution, "id">;
  /** For a language's package, first the repository of its ecosystem: packages of the same name in another are others. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
}

/** Merges the findings of all layers, base first. Pure. */
export type Coalescer = (layers: readonly EcosystemLayer[], image: ImageView) => Iterable<CoalescedPackage>;
