import type { FindingCounts, FindingDetails, ShownFinding } from "../findings/shown-finding.ts";

/** A finding with all facts that the HTML report shows. */
export interface ReportFinding extends ShownFinding {
  readonly details: FindingDetails;
  /** The web address of the advisory. */
  readonly link?: string | undefined;
  /** The CVE id, if the finding has another id. */
  readonly alias?: string | undefined;
  /** The paths of the files that list the package. */
  readonly places: readonly string[];
  /** What to do about it. */
  readonly remedy: string;
  /** More facts: the name of each, and lines in monospaced or normal type. */
  readonly more: readonly { readonly name: string; readonly lines: readonly string[]; readonly isCode?: true }[];
  /** The sort key of the severity: the worst has the greatest. */
  readonly rank: number;
  /** The text that the search of the page looks in. */
  readonly text: string;
}

/** The coverage of a report: what was not assessed. */
export interface ReportCoverage {
  readonly title: string;
  readonly meaning: string;
  readonly gaps: readonly string[];
}

/** The parts of the HTML report. They are the components of the console's pages, written as HTML. */
export interface ReportParts {
  /** The counts by severity, as a bar and as text. */
  readonly summary: (counts: FindingCounts & { readonly total: number }) => string;
  readonly coverage: (coverage: ReportCoverage) => string;
  readonly filters: (counts: FindingCounts) => string;
  readonly findingHead: () => string;
  /** One finding: a row with its facts, and below it a row with its details. */
  readonly findingRows: (finding: ReportFinding) => string;
  /** The style sheet: colours, tables, controls. */
  readonly style: string;
}
