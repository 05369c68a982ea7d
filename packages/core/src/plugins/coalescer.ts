import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";
import type { Finding, RepositoryFinding } from "./finding.ts";

/** The findings that one ecosystem's detectors made in one layer. */
export interface EcosystemLayer {
  readonly digest: Digest;
  readonly findings: readonly Finding[];
}

/** The finished image, with all layers applied. Layers are numbered from the base, which is 0. */
export interface ImageView {
  /** Whether the file that layer `index` added is in the finished image: no later layer deleted or replaced it. */
  survives(path: string, index: number): boolean;
  /** The release in effect at a layer: the nearest one at or below it, else the nearest above. */
  distributionAt(index: number): Omit<Distribution, "id"> | undefined;
  /** Repository findings of all ecosystems whose files are in the finished image, base first. */
  readonly repositories: readonly RepositoryFinding[];
}

/** A package of the finished image. */
export interface CoalescedPackage {
  readonly package: FoundPackage;
  readonly packageDb: string;
  readonly introducedIn: Digest;
  readonly distribution?: Omit<Distribution, "id">;
  /** For a language's package, the first is the repository of its ecosystem: the same name in another ecosystem is another package. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
}

/** Merges the findings of all layers, base first. Pure. */
export type Coalescer = (layers: readonly EcosystemLayer[], image: ImageView) => Iterable<CoalescedPackage>;
