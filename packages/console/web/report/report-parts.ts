import type { FindingCounts, FindingDetails, ShownFinding } from "../findings/shown-finding.ts";

/** A finding with all that a report as a file tells of it. */
export interface ReportFinding extends ShownFinding {
  readonly details: FindingDetails;
  /** Where the advisory is on the web. */
  readonly link?: string | undefined;
  /** Its CVE id, where it is named otherwise. */
  readonly alias?: string | undefined;
  /** The paths that show the package. */
  readonly places: readonly string[];
  /** What to do about it. */
  readonly remedy: string;
  /** More facts: the name of each, and lines in the type of a machine or of people. */
  readonly more: readonly { readonly name: string; readonly lines: readonly string[]; readonly isCode?: true }[];
  /** Its place among severities, to be sorted by: the worst is the greatest. */
  readonly rank: number;
  /** What it is found by. */
  readonly text: string;
}

/** What was not assessed, and how that is said. */
export interface ReportCoverage {
  readonly title: string;
  readonly meaning: string;
  readonly gaps: readonly string[];
}

/** The parts of a report as a file, each as HTML: the same as those of the console's pages. */
export interface ReportParts {
  /** Counts as a bar and in words. */
  readonly summary: (counts: FindingCounts & { readonly total: number }) => string;
  readonly coverage: (coverage: ReportCoverage) => string;
  readonly filters: (counts: FindingCounts) => string;
  readonly findingHead: () => string;
  /** One finding: what it is, and below it why. */
  readonly findingRows: (finding: ReportFinding) => string;
  /** Of the page: colours, tables, controls. */
  readonly style: string;
}
