/**
 * An ecosystem: plain objects without base classes, registration or optional methods.
 * `docs/how-to/add-an-ecosystem.md` builds one from nothing.
 */
import type { UnassessedKind } from "../model/index-report.ts";
import type { Coalescer } from "./coalescer.ts";
import type { Detector, FileDetector, FileOwners, PathDetector } from "./detector.ts";
import type { Matcher } from "./matcher.ts";
import type { VersionScheme } from "./version-scheme.ts";

/** What the engine knows of one packaging system, as lists. A member that is optional is absent where there is nothing of its kind. */
export interface Ecosystem {
  readonly name: string;
  readonly detectors: readonly Detector[];
  readonly fileDetectors?: readonly FileDetector[];
  /**
   * Detectors that read lock files: what a project says that it needs. They are asked only where a source is a folder of code; in an image, what is
   * installed counts.
   */
  readonly lockFileDetectors?: readonly FileDetector[];
  readonly pathDetectors?: readonly PathDetector[];
  readonly fileOwners?: readonly FileOwners[];
  readonly matchers: readonly Matcher[];
  /** The types of its package URLs: `deb` of `pkg:deb/debian/zlib1g`. No other ecosystem has them. */
  readonly purl: readonly string[];
  /** The order of its versions. */
  readonly versions?: VersionScheme;
  /** What its detectors find is in no package of the image without it. */
  readonly coalesce?: Coalescer;
  /**
   * The kinds of packages that its detectors read: paths that its file detectors want are then no evidence of something that was
   * not looked at. Without file detectors, none of the kind is.
   */
  readonly assesses?: readonly UnassessedKind[];
}
