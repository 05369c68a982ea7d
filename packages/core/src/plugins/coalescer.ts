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
  /** The package of the distribution that owns a file, by the lists that are in the finished image; undefined if none does. */
  ownerOf(path: string): FileOwner | undefined;
  /** The path after all symbolic links on the way, the last segment included; for a loop a path that no file has. */
  resolve(path: string): string;
  /** Repository findings of all ecosystems whose files are in the finished image, base first. */
  readonly repositories: readonly RepositoryFinding[];
}

/** A package of the operating system that owns a file. */
export interface FileOwner {
  readonly name: string;
  /** The layers whose lists say so, in ascending order. The last is in the finished image. */
  readonly listedAt: readonly number[];
  /** See `PackageFinding.mayBeOfOthers`. */
  readonly mayBeOfOthers?: true;
}

/** A package of the finished image. */
export interface CoalescedPackage {
  readonly package: FoundPackage;
  readonly packageDb: string;
  readonly introducedIn: Digest;
  readonly distribution?: Omit<Distribution, "id">;
  /** For a language's package, the first is the repository of its ecosystem: the same name in another ecosystem is another package. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  /** See `PackageFinding.mayBeOfOthers`. */
  readonly mayBeOfOthers?: true;
}

/** Merges the findings of all layers, base first. Pure. */
export type Coalescer = (layers: readonly EcosystemLayer[], image: ImageView) => Iterable<CoalescedPackage>;
