import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { FoundPackage, PackageRepository } from "../model/package.ts";
import type { PackageDetails } from "../model/package-details.ts";
import type { Finding } from "./finding.ts";

/** The finished image, with all layers applied. Layers are numbered from the base, which is 0. */
export interface ImageView {
  /** Whether the file that layer `index` added is in the finished image: no later layer deleted or replaced it. */
  survives(path: string, index: number): boolean;
  /**
   * The release in effect at a layer: the nearest one at or below it, else the nearest above.
   * @param root the folder of another system in the image, such as a `chroot`
   */
  distributionAt(index: number, root?: string): Omit<Distribution, "id"> | undefined;
  /**
   * The package of the distribution that owns a file, by the lists that are in the finished image; undefined if none does. `listedAt`: the layers
   * whose lists say so, in ascending order; the last is in the finished image. `root`: the folder of its system, if that is not the root of the image.
   * `mayBeOfOthers`: as that of a package finding.
   */
  ownerOf(path: string):
    | {
        readonly name: string;
        readonly root?: string;
        readonly listedAt: readonly number[];
        readonly mayBeOfOthers?: true;
      }
    | undefined;
  /** The path after all symbolic links on the way, the last segment included; for a loop a path that no file has. */
  resolve(path: string): string;
  /** Repository findings of all ecosystems whose files are in the finished image, base first. */
  readonly repositories: readonly Extract<Finding, { readonly kind: "repository" }>[];
}

/** A package of the operating system that owns a file. */
export type FileOwner = NonNullable<ReturnType<ImageView["ownerOf"]>>;

/** A package of the finished image. */
export interface CoalescedPackage {
  readonly package: FoundPackage;
  readonly packageDb: string;
  readonly introducedIn: Digest;
  readonly details?: PackageDetails;
  readonly distribution?: Omit<Distribution, "id">;
  /** The folder of its system, if that is not the root of the image: `opt/rootfs`. */
  readonly root?: string;
  /** For a language's package, the first is the repository of its ecosystem: the same name in another ecosystem is another package. */
  readonly repositories: readonly Omit<PackageRepository, "id">[];
  /** As that of a package finding. */
  readonly mayBeOfOthers?: true;
}

/**
 * Merges the findings of all layers, base first. Pure.
 * @param layers the findings that one ecosystem's detectors made in each layer
 */
export type Coalescer = (
  layers: readonly { readonly digest: Digest; readonly findings: readonly Finding[] }[],
  image: ImageView,
) => Iterable<CoalescedPackage>;

/** The findings that one ecosystem's detectors made in one layer. */
export type EcosystemLayer = Parameters<Coalescer>[0][number];

/** What a package needs, and the packages of the image that meet it; none if none does. */
export interface ResolvedNeed {
  /** As the package states it. */
  readonly need: string;
  readonly met: readonly CoalescedPackage[];
  /** Set if the package also works without. */
  readonly isOptional?: true;
  /** Set if it is not known whether it is needed, or whether something that is no package of the image meets it: then it is not known what the package needs. */
  readonly isUnknown?: true;
}

/** Makes a function that finds what a package needs among the packages of its ecosystem in the finished image. Pure. */
export type DependencyResolver = (
  packages: readonly CoalescedPackage[],
  image: Pick<ImageView, "resolve"> & {
    /** The packages of another ecosystem, by its name. */
    packagesIn(ecosystem: string): readonly CoalescedPackage[];
  },
) => (from: CoalescedPackage) => Iterable<ResolvedNeed>;
