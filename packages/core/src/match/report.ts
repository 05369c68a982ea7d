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

/** The known vulnerabilities of one image. Plain data; the same inputs give the same report. */
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
  /** Vulnerabilities of which it is unknown whether they affect a package. */
  readonly undecided: readonly {
    readonly packageId: string;
    /** The name of the vulnerability. */
    readonly name: string;
    readonly reason: UndecidedReason;
  }[];
  /** Findings that statements of users suppress. */
  readonly suppressed: readonly {
    readonly packageId: string;
    readonly vulnerabilityId: string;
    readonly status: "not_affected" | "fixed";
    /** The reason as a VEX justification: `vulnerable_code_not_present`. */
    readonly justification?: string;
    /** The reason as text. */
    readonly detail?: string;
    readonly author?: string;
    /** Epoch milliseconds: from then on the finding is no longer suppressed. */
    readonly expiresAt?: number;
    /** The place of the statement: `app.vex.json: statements[2]`. */
    readonly place: string;
  }[];
  /** Facts of enrichers by their type, each a list of one object: vulnerability id → records. */
  readonly enrichments: Readonly<Record<string, readonly Json[]>>;
  readonly coverage: Coverage;
  /** Whether advisories were loaded for the image's ecosystems, sorted by ecosystem. */
  readonly feeds: readonly FeedCoverage[];
  /** Whether the data of the enrichers were loaded, without which the absence of their facts says nothing; in the order of the engine's enrichers; absent in a report that does not say. */
  readonly enrichers?: readonly {
    readonly enricher: string;
    /** The key of its facts in the report. */
    readonly type: string;
    readonly loaded: boolean;
    /** When its data were last checked and found up to date, in epoch milliseconds. */
    readonly checkedAt?: number;
  }[];
  /** The last days of security fixes for distributions and packages, where known. */
  readonly endsOfLife: readonly EndOfLife[];
}

/** Whether the data of an enricher are loaded. Without them, the absence of its facts says nothing. */
export type EnricherCoverage = NonNullable<VulnerabilityReport["enrichers"]>[number];

/** One advisory as it applies to packages of this report. */
export interface Vulnerability {
  readonly id: string;
  /** The updater that imported the advisory. */
  readonly updater: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description?: string;
  /** When the vendor published it. */
  readonly issuedAt?: number;
  readonly links: readonly string[];
  /** The severity word or CVSS vector of the rating that is shown: the vendor's, or another where the vendor has none. */
  readonly severity?: string;
  /** The severity of the rating that is shown. */
  readonly normalizedSeverity: Severity;
  /** The ratings of all sources, the most relevant first; absent where only its own advisory has one. */
  readonly ratings?: readonly Rating[];
  /** The package that the advisory names; its version is empty, and its id is not that of a package of the report. */
  readonly package: Package;
  readonly distribution?: Distribution;
  readonly repository?: PackageRepository;
  /** Absent where no fix is known. */
  readonly fixedInVersion?: string;
  /** The affected versions, half-open `[lower, upper)`; an absent end is open. Absent where all versions are, or where the range has an inclusive end. */
  readonly range?: {
    readonly lower?: string;
    readonly upper?: string;
  };
  /** How the architectures of the advisory are compared with a package's. */
  readonly archOperation?: "equals" | "not equals" | "pattern match";
}

/** Half-open `[lower, upper)`; an absent end is open. */
export type VulnerabilityRange = NonNullable<Vulnerability["range"]>;

/** A finding that a user's statement suppresses. */
export type Suppressed = VulnerabilityReport["suppressed"][number];

/** A package and a vulnerability that may or may not affect it. */
export type Undecided = VulnerabilityReport["undecided"][number];
