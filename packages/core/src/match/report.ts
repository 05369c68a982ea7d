import type { ArchOperation } from "../model/advisory.ts";
import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { EndOfLife } from "../model/end-of-life.ts";
import type { Coverage, Environment } from "../model/index-report.ts";
import type { Json } from "../model/json-value.ts";
import type { Package, PackageRepository } from "../model/package.ts";
import type { Rating } from "../model/rating.ts";
import type { Severity } from "../model/severity.ts";
import type { UndecidedReason } from "../plugins/matcher.ts";
import type { FeedCoverage } from "../ports.ts";

/** The known vulnerabilities of one image. Plain data, deterministic: the same inputs give the same report. */
export interface VulnerabilityReport {
  readonly manifestDigest: Digest;
  /** As in the index report that was matched. */
  readonly packages: Readonly<Record<string, Package>>;
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  readonly environments: Readonly<Record<string, readonly Environment[]>>;
  /** By their ids: decimal numbers in a stable order, unique within this report. */
  readonly vulnerabilities: Readonly<Record<string, Vulnerability>>;
  /** Vulnerability ids by package id, the greatest risk first. Packages without a vulnerability are absent. */
  readonly packageVulnerabilities: Readonly<Record<string, readonly string[]>>;
  /** Statements that are undecided: it is unknown whether they apply. */
  readonly undecided: readonly Undecided[];
  /** Findings that statements of users took out; empty where there are none. */
  readonly suppressed: readonly Suppressed[];
  /** Facts of enrichers by their type, each a list of one object: vulnerability id → records. */
  readonly enrichments: Readonly<Record<string, readonly Json[]>>;
  readonly coverage: Coverage;
  /** Whether advisories were at hand for what the image holds, sorted by ecosystem. */
  readonly feeds: readonly FeedCoverage[];
  /** Until when the distributions and packages get security fixes, where that is known. */
  readonly endsOfLife: readonly EndOfLife[];
}

/** One advisory as it applies to the packages of this report that list it. */
export interface Vulnerability {
  readonly id: string;
  /** The updater that brought the advisory. */
  readonly updater: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description?: string;
  /** When the vendor published it. */
  readonly issuedAt?: number;
  readonly links: readonly string[];
  /** The word or the vector of the rating that is shown: the vendor's own, or that of another where the vendor has none. */
  readonly severity?: string;
  /** Of the first rating that says one. */
  readonly normalizedSeverity: Severity;
  /** How severe every source says that it is, the first counts; absent where only its own advisory says so. */
  readonly ratings?: readonly Rating[];
  /** The package the advisory speaks of; its version is empty, its id that of no other package of the report. */
  readonly package: Package;
  readonly distribution?: Distribution;
  readonly repository?: PackageRepository;
  /** Absent where no fix is known. */
  readonly fixedInVersion?: string;
  /** The versions spoken of that the package's version lies in. */
  readonly range?: VulnerabilityRange;
  readonly archOperation?: ArchOperation;
}

/** Half-open `[lower, upper)`; an absent end is open. */
export interface VulnerabilityRange {
  readonly lower?: string;
  readonly upper?: string;
}

/** A finding that a statement of a user took out. */
export interface Suppressed {
  readonly packageId: string;
  readonly vulnerabilityId: string;
  readonly status: "not_affected" | "fixed";
  /** Why, as a word of the VEX format: `vulnerable_code_not_present`. */
  readonly justification?: string;
  /** Why, in sentences. */
  readonly detail?: string;
  readonly author?: string;
  /** Epoch milliseconds: it counts as a finding again from then on. */
  readonly expiresAt?: number;
  /** Where the statement stands: `app.vex.json: statements[2]`. */
  readonly place: string;
}

/** A package and a vulnerability that may or may not affect it. */
export interface Undecided {
  readonly packageId: string;
  /** The name of the vulnerability. */
  readonly name: string;
  readonly reason: UndecidedReason;
}
