import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { Coverage, StatedSbomPackage } from "@plimsoll/core/internal";
import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import { RegistryError } from "../errors.ts";

/** The state of an image's scan, and its result. */
export type ScanOutcome =
  | { readonly status: "queued" }
  | { readonly status: "failed"; readonly reason: string }
  | {
      readonly status: "scanned";
      readonly report: VulnerabilityReportJson;
      readonly coverage: Coverage;
      /** The feeds with which its packages were matched; absent if the scanner does not provide them. */
      readonly feeds?: readonly ImageFeed[];
      /** Those of the packages in attached documents that could not be matched; absent: all of them. */
      readonly unmatched?: readonly StatedSbomPackage[];
    };

/** Whether advisories for an ecosystem of an image were loaded. */
export interface ImageFeed {
  readonly ecosystem: string;
  readonly isCovered: boolean;
  /** When the feed was last found to be up to date, ISO 8601. */
  readonly checkedAt?: string;
  /** Whether the last check is longer ago than the settings allow. */
  readonly isOutdated: boolean;
}

/** Records of a feed that are not used because of a rule. */
export interface SkippedFeedRecords {
  readonly rule: string;
  /** What such records are, as text for users. */
  readonly meaning: string;
  readonly count: number;
  /** The place of the first of them. */
  readonly example: string;
}

/** What became of the records of a feed in its last update: `total` is the sum of the others. */
export interface FeedRecords {
  readonly total: number;
  readonly read: number;
  readonly withdrawn: number;
  /** Records of which nothing could be used. */
  readonly failed: number;
  /** By rule, the most frequent first. */
  readonly skipped: readonly SkippedFeedRecords[];
}

/** A feed that is loaded. */
export interface LoadedFeed {
  readonly name: string;
  /** Whether it contains advisories, or other facts about vulnerabilities. */
  readonly kind: "vulnerability" | "enrichment";
  /** The number of its current advisories or facts. */
  readonly rows: number;
  /** How many of its records could not be used. */
  readonly dropped: number;
  /** Absent if it is not known, as of a feed that an older version loaded. */
  readonly records?: FeedRecords;
  /** When its content last changed, in epoch milliseconds. */
  readonly changedAt: number;
  /** When it was last found to be up to date, in epoch milliseconds. */
  readonly checkedAt: number;
  /** Whether the last check is longer ago than the settings allow. */
  readonly isOutdated: boolean;
}

/** The last update of a feed, if it failed. The content that was loaded before stays in use. */
export interface FailedFeedUpdate {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly failedAt: number;
  /** The reason, as text for users. */
  readonly reason: string;
}

/** Which images are wanted: those with a package (by its name or that of its source), with a licence, or with a package of a supplier. */
export interface ImagesQuestion {
  readonly kind: "package" | "license" | "supplier";
  /** In any case. */
  readonly value: string;
  /** Only packages with this version; absent: any. */
  readonly version?: string | undefined;
  /** Only images whose digests are greater, compared as text; the empty text starts from the first. */
  readonly after: string;
  readonly limit: number;
}

/** Some images in the order of their digests, each with the packages because of which it was found. */
export interface FoundImages {
  readonly images: readonly {
    readonly digest: string;
    readonly packages: readonly { readonly name: string; readonly version: string }[];
  }[];
  /** The `after` of the question for more; absent if there are none. */
  readonly next?: string;
}

/** What an image consists of, or why that is not known. Without `details`, the scanner does not say what records of packages say besides. */
export type InventoryOutcome =
  | Exclude<ScanOutcome, { readonly status: "scanned" }>
  | { readonly status: "scanned"; readonly index: IndexReport };

/** The state of a scanner's feeds. */
export interface ScannerFeeds {
  /** By name. */
  readonly loaded: readonly LoadedFeed[];
  /** The names of configured feeds that are not loaded, so that they find nothing. Sorted. */
  readonly missing: readonly string[];
  /** The failed updates of loaded and missing feeds, by name. */
  readonly failures: readonly FailedFeedUpdate[];
}

/** An image whose layers are in the registry. */
export interface ScannableImage {
  readonly digest: Digest;
  /** Base first. */
  readonly layers: readonly { readonly digest: Digest; readonly mediaType: string }[];
}

/** Options of {@link ImageScanner.find}. */
export interface FindOptions {
  readonly signal?: AbortSignal;
  /**
   * Packages that attached documents list. Those that are not found in the layers are added to the report, each in an environment
   * whose `introduced_in` is the digest of the document.
   */
  readonly stated?: readonly StatedSbomPackage[];
}

/** A scanner of images, in this process or another. */
export interface ImageScanner {
  /** `set-aside`: findings in kernel packages are suppressed, since a container runs on the kernel of its host; absent: they count as all others. */
  readonly kernel?: "set-aside";
  /** Changes exactly when images must be indexed again. Throws if the scanner does not respond. */
  state(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Indexes an image, unless it was indexed in the current state. Throws if that fails, with a `code` (ScanError). */
  index(image: ScannableImage, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The report of an image; `queued` if the scanner has none yet. Throws if the scanner does not respond. */
  find(image: ScannableImage, options?: FindOptions): Promise<ScanOutcome>;
  /** What the image consists of, with what records of packages say besides. Throws if the scanner does not respond. */
  inventory(image: ScannableImage, options?: { readonly signal?: AbortSignal }): Promise<InventoryOutcome>;
  /** Finds indexed images; undefined if the scanner cannot. Throws if the scanner does not respond. */
  findImages(question: ImagesQuestion, options?: { readonly signal?: AbortSignal }): Promise<FoundImages | undefined>;
  /** Deletes everything about images that no repository has any more. Throws if the scanner does not respond. */
  delete(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Some of the indexed images after the digest `after`, in the order of their digests; empty if there are no more, and if the
   * scanner has other clients too, since the registry must not delete their reports. Throws if the scanner does not respond.
   */
  list(after: string, options?: { readonly signal?: AbortSignal }): Promise<readonly Digest[]>;
  /**
   * All names of a vulnerability, the given one first: advisories with one of these names list the others. Throws if the scanner does
   * not respond.
   */
  names(name: string): Promise<readonly string[]>;
  /** The state of its feeds; undefined if the scanner does not know it. Throws if the scanner does not respond. */
  feeds(): Promise<ScannerFeeds | undefined>;
}

/**
 * The members of a scanner that never deletes a report, and knows neither what images consist of, nor which consist of something, nor other names of vulnerabilities, nor the state
 * of feeds.
 * @example
 * const scanner: ImageScanner = {
 *   ...basicScanner,
 *   state: async () => "1",
 *   index: async () => {},
 *   find: async () => ({ status: "failed", reason: "it reads nothing" }),
 * };
 */
export const basicScanner = {
  inventory: async () => ({ status: "failed", reason: "the scanner does not say what images consist of" }) as const,
  findImages: async () => undefined,
  delete: async () => {},
  list: async () => [],
  names: async (name: string) => [name],
  feeds: async () => undefined,
} satisfies Partial<ImageScanner>;

/** The scanner of a registry without one: every image waits for it. */
export const noImageScanner: ImageScanner = {
  ...basicScanner,
  state: async () => "",
  async index() {
    throw new RegistryError("unavailable", "This registry has no scanner");
  },
  find: async () => ({ status: "queued" }),
  inventory: async () => ({ status: "queued" }),
};

/** A report format of other tools. */
export type ReportFormat = "sarif" | "cyclonedx" | "spdx" | "csv";

/** What the records of the packages of an image say besides. */
export type ImageBill = Pick<IndexReport, "details" | "dependencies">;

/** Writes reports in the formats of other tools. */
export interface ReportWriter {
  /** The document in parts. Must not hold up the thread of the caller. */
  write(image: {
    readonly report: VulnerabilityReportJson;
    /** What records of its packages say besides, by the ids of the report. */
    readonly bill?: ImageBill;
    /** `NAMESPACE/NAME@DIGEST` */
    readonly reference: string;
    readonly format: ReportFormat;
    /** The creation time in the document, in epoch milliseconds. */
    readonly createdAt: number;
    readonly signal: AbortSignal;
  }): Promise<readonly string[]>;
}
