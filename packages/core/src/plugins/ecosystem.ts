/**
 * An ecosystem: plain objects without base classes, registration or optional methods.
 * `docs/how-to/add-an-ecosystem.md` builds one from nothing.
 */
import type { UnassessedKind } from "../model/index-report.ts";
import type { CoalescedPackage, Coalescer, DependencyResolver, EcosystemLayer, ImageView } from "./coalescer.ts";
import type { Detector, FileDetector, FileLists, FileOwners, PathDetector } from "./detector.ts";
import type { EvidenceRule } from "./evidence.ts";
import type { LockedFinding } from "./finding.ts";
import type { Matcher } from "./matcher.ts";
import type { VersionScheme } from "./version-scheme.ts";

/** The program that runs packages: an interpreter or a virtual machine. */
export interface Runtime {
  /** The name by which the program is found: `python`. */
  readonly program: string;
  /** The places where it is if it runs the package at this place, the likeliest first. Default: none. Where it is at none of them, the only one of the image counts. */
  placesFor?(packageDb: string): readonly string[];
}

/** A lock file of an image, with the kind of its packages. */
export interface InstalledLock extends Omit<LockedFinding, "kind"> {
  readonly kind: UnassessedKind;
}

/** How the packages of a lock file are installed, where their names and versions alone do not tell whether they are. */
export interface LockInstallation {
  /** Tools that images bring up to date after the installation. Default: none. */
  readonly installers?: ReadonlySet<string>;
  /** Whether a package at a place is of the project whose lock file is in the folder. Default: at each place. @param folder with a slash at the end */
  isPlace?(place: string, folder: string): boolean;
  /** Whether what is installed for the project was made from the lock file: then it has all that the program needs. Default: no. */
  isMadeFrom?(lock: InstalledLock, packages: readonly CoalescedPackage[]): boolean;
}

/** One packaging system as lists of plug-ins. An optional member is absent if the system has none of that kind. */
export interface Ecosystem {
  readonly name: string;
  readonly detectors: readonly Detector[];
  /** Detectors of what files say about packages that other files list (`details` findings). An engine without `details` does not run them. @internal */
  readonly detailDetectors?: readonly FileDetector[];
  readonly fileDetectors?: readonly FileDetector[];
  /**
   * Detectors of lock files, which list the packages that a project needs. They run only on a folder of source code; in an image, installed
   * packages count.
   */
  readonly lockFileDetectors?: readonly FileDetector[];
  /**
   * What shows that packages of the ecosystem are there, whether or not a detector reads them. An engine looks for that of all known ecosystems.
   * @internal
   */
  readonly evidence?: readonly EvidenceRule[];
  /** @internal */
  readonly installation?: LockInstallation;
  /** @internal */
  readonly pathDetectors?: readonly PathDetector[];
  /** @internal */
  readonly fileOwners?: readonly FileOwners[];
  /** Only for an engine with `files`. @internal */
  readonly fileLists?: readonly FileLists[];
  readonly matchers: readonly Matcher[];
  /** The types of its package URLs: `deb` of `pkg:deb/debian/zlib1g`. No other ecosystem has them. */
  readonly purl: readonly string[];
  /** The order of its versions. */
  readonly versions?: VersionScheme;
  /** Without it, findings of the detectors do not become packages of the image. */
  readonly coalesce?: Coalescer;
  /** Finds which packages need which, by what their details say. Absent if that is not known. @internal */
  readonly dependencies?: DependencyResolver;
  /** The program that runs its packages. Absent if none does. @internal */
  readonly runtime?: Runtime;
  /**
   * Finds the databases in the finished image that the package manager does not use, such as a copy in the place of an older release, by their
   * paths. What they list does not become packages of the image. They are reported as unassessed packages of the given kind; without
   * a kind, they are a copy of the used one, and nothing is reported.
   * @internal
   */
  readonly unusedDatabases?: (
    layers: readonly EcosystemLayer[],
    image: ImageView,
  ) => ReadonlyMap<string, UnassessedKind | undefined>;
  /**
   * The kinds of packages that its detectors read: paths that its file detectors want are then not reported as unassessed. Without
   * file detectors, no path of the kind is reported.
   */
  readonly assesses?: readonly UnassessedKind[];
}
