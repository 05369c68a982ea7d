import type { ReactNode } from "react";

/** A vulnerability of a package, as the console and the report as a file show it. */
export interface ShownFinding {
  readonly severity: "Critical" | "High" | "Medium" | "Low" | "Negligible" | "Unknown";
  readonly id: string;
  readonly isExploited: boolean;
  /** How likely an exploit within 30 days is, from 0 to 1. */
  readonly epss?: number | undefined;
  /** Of CVSS. */
  readonly score?: number | undefined;
  readonly packageName: string;
  readonly version: string;
  /** Empty where no fix is known. */
  readonly fixedIn: string;
  /** The digest of the layer that brought the package; empty where that is not known. */
  readonly layer: string;
}

/** What is told of a finding once it is opened. */
export interface FindingDetails {
  readonly description: string;
  /** Which versions the advisory is about. */
  readonly range?:
    | { readonly name: string; readonly from?: string | undefined; readonly before?: string | undefined }
    | undefined;
  readonly aliases: readonly string[];
  readonly ratings: readonly {
    readonly source: string;
    readonly severity: string;
    readonly score?: number | undefined;
  }[];
  /** Of CVSS, with its score. */
  readonly vectors: readonly { readonly vector: string; readonly score?: number | undefined }[];
  readonly epss?: number | undefined;
  /** Which feed it comes from; the empty text where that is not known. */
  readonly reportedBy: ReactNode;
  readonly links: readonly string[];
}

/** How many findings there are of each kind. */
export interface FindingCounts {
  readonly severities: readonly (readonly [severity: ShownFinding["severity"], count: number])[];
  readonly exploited: number;
  readonly fixable: number;
}
