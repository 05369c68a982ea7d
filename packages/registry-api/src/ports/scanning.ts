import type { Coverage, Digest, StatedSbomPackage, VulnerabilityReportJson } from "@plimsoll/core";

/** The state of an image's scan, and its result. */
export type ScanOutcome =
  | { readonly status: "queued" }
  | { readonly status: "failed"; readonly reason: string }
  | {
      readonly status: "scanned";
      readonly report: VulnerabilityReportJson;
      readonly coverage: Coverage;
      /** The feeds that its packages were matched with; absent where the scanner does not tell. */
      readonly feeds?: readonly ImageFeed[];
      /** Of the packages that documents state, those that could not be matched. All of them where absent. */
      readonly unmatched?: readonly StatedSbomPackage[];
    };

/** Whether advisories for an ecosystem of an image were loaded. */
export interface ImageFeed {
  readonly ecosystem: string;
  readonly isCovered: boolean;
  /** When it was last found to be up to date, ISO 8601. */
  readonly checkedAt?: string;
  /** It was not checked for longer than the settings allow. */
  readonly isOutdated: boolean;
}

/** A feed that is loaded. */
export interface LoadedFeed {
  readonly name: string;
  /** Whether it brings advisories, or facts about vulnerabilities. */
  readonly kind: "vulnerability" | "enrichment";
  /** Its advisories or facts that hold now. */
  readonly rows: number;
  /** How many of its records could not be used. */
  readonly dropped: number;
  /** When it last brought something new, in epoch milliseconds. */
  readonly changedAt: number;
  /** When it was last found to be up to date, in epoch milliseconds. */
  readonly checkedAt: number;
  /** It was not checked for longer than the settings allow. */
  readonly isOutdated: boolean;
}

/** The last update of a feed, where it failed: what was loaded before is still there. */
export interface FailedFeedUpdate {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly failedAt: number;
  /** Why, for people. */
  readonly reason: string;
}

/** What a scanner knows of the feeds that it matches with. */
export interface ScannerFeeds {
  /** By name. */
  readonly loaded: readonly LoadedFeed[];
  /** Names of the feeds that are to be loaded and are not: nothing is found by them. Sorted. */
  readonly missing: readonly string[];
  /** Of feeds that are loaded and of those that are missing, by name. */
  readonly failures: readonly FailedFeedUpdate[];
}

/** An image whose layers the registry has. */
export interface ScannableImage {
  readonly digest: Digest;
  /** Base first. */
  readonly layers: readonly { readonly digest: Digest; readonly mediaType: string }[];
}

/** How the report of an image is asked for. */
export interface FindOptions {
  readonly signal?: AbortSignal;
  /**
   * Packages that attached documents state: those that the layers do not show are in the report as well, each in an environment whose
   * `introduced_in` is the digest of the document.
   */
  readonly stated?: readonly StatedSbomPackage[];
}

/** A scanner of images, in this process or another. */
export interface ImageScanner {
  /** `set-aside`: findings in packages of the kernel are suppressed, since a container runs on the kernel of its host; absent: they are like others. */
  readonly kernel?: "set-aside";
  /** Changes exactly when images have to be read again. Throws when the scanner cannot be asked. */
  state(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Reads an image, unless it was read before as it would be now. Throws when that fails; `code` says why (ScanError). */
  index(image: ScannableImage, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Queued while the scanner has no report of that image. Throws when the scanner cannot be asked. */
  find(image: ScannableImage, options?: FindOptions): Promise<ScanOutcome>;
  /** Forgets all it knows of images that no repository has; where absent, reports stay forever. Throws when it cannot be asked. */
  forget?(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Some of the images that it knows, in the order of their digests, from behind `after` on; none when there are no more. Absent where
   * others use the scanner too: what they have read is not the registry's to forget. Throws when it cannot be asked.
   */
  list?(after: string, options?: { readonly signal?: AbortSignal }): Promise<readonly Digest[]>;
  /**
   * The names of a vulnerability, the one that is asked for first: those that advisories of any of these names give it. Absent where the
   * scanner does not tell. Throws when it cannot be asked.
   */
  names?(asked: string): Promise<readonly string[]>;
  /** Its feeds; absent where the scanner does not tell. Throws when it cannot be asked. */
  feeds?(): Promise<ScannerFeeds>;
}

/** A format of other tools in which reports are written. */
export type ReportFormat = "sarif" | "cyclonedx" | "spdx" | "csv";

/** Writes reports in the formats of other tools. */
export interface ReportWriter {
  write(image: {
    readonly report: VulnerabilityReportJson;
    /** `NAMESPACE/NAME@DIGEST` */
    readonly reference: string;
    readonly format: ReportFormat;
    /** Epoch milliseconds: what the document says of its making. */
    readonly createdAt: number;
  }): string;
}
