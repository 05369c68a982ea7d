import type { ReactNode } from "react";

/** What is known of the use of a package in an image. */
export interface ShownUse {
  /** The packages by which it is needed, the nearest first: each needs the one before it. */
  readonly neededBy?: readonly { readonly name: string; readonly version: string }[] | undefined;
  /** Nothing is known to need it, and what the image starts does not lead to it. */
  readonly reached?: "no evidence" | undefined;
}

/** A vulnerability of a package, as the console and the HTML report show it. */
export interface ShownFinding extends ShownUse {
  readonly severity: "Critical" | "High" | "Medium" | "Low" | "Negligible" | "Unknown";
  readonly id: string;
  readonly isExploited: boolean;
  /** The probability of an exploit within 30 days (EPSS), from 0 to 1. */
  readonly epss?: number | undefined;
  /** The CVSS score. */
  readonly score?: number | undefined;
  readonly packageName: string;
  readonly version: string;
  /** The version that fixes it; empty if no fix is known. */
  readonly fixedIn: string;
  /** The digest of the layer that added the package; empty if it is not known. */
  readonly layer: string;
}

/** The details of a finding, shown when it is opened. */
export interface FindingDetails {
  readonly description: string;
  /** The versions that the advisory names. */
  readonly range?:
    | { readonly name: string; readonly from?: string | undefined; readonly before?: string | undefined }
    | undefined;
  readonly aliases: readonly string[];
  readonly ratings: readonly {
    readonly source: string;
    readonly severity: string;
    readonly score?: number | undefined;
  }[];
  /** CVSS vectors with their scores. */
  readonly vectors: readonly { readonly vector: string; readonly score?: number | undefined }[];
  readonly epss?: number | undefined;
  /** The feed of the advisory; the empty string if it is not known. */
  readonly reportedBy: ReactNode;
  readonly links: readonly string[];
}

/** The number of findings of each kind. */
export interface FindingCounts {
  readonly severities: readonly (readonly [severity: ShownFinding["severity"], count: number])[];
  readonly exploited: number;
  readonly fixable: number;
}
