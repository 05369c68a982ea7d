import { coverageEnrichment } from "@plimsoll/core/internal";
import type { Logger } from "pino";

/** What a report says about its own completeness. */
export interface ReportedCoverage {
  /** Whether everything in the image was read and judged. */
  readonly isComplete: boolean;
  /** Distributions and languages of the image that no loaded feed covers; `unknown` if those of its packages are not known. */
  readonly uncovered: readonly string[];
  /** Those whose feed was last checked too long ago. */
  readonly outdated: readonly string[];
  /** The number of parts of the image that could not be read, assessed or judged. */
  readonly problems: number;
}

/** The coverage of a vulnerability report, from its enrichment. */
export function reportedCoverage(report: object): ReportedCoverage {
  const { enrichments = {}, packages = {} } = report as ReportMembers;
  const [record] = enrichments[coverageEnrichment] ?? [];
  const {
    status = "partial",
    feeds = [],
    problems = [],
    unassessed = [],
    undecided_packages: undecided = [],
  } = record ?? {};
  const isUnplaced = feeds.length === 0 && Object.keys(packages).length > 0;
  const uncovered = isUnplaced ? ["unknown"] : feeds.filter(({ covered }) => !covered).map(nameOf);
  const outdated = feeds.filter((feed) => feed.outdated === true).map(nameOf);
  return {
    isComplete: status === "complete" && uncovered.length === 0,
    ...{ uncovered, outdated },
    problems: problems.length + unassessed.length + undecided.length,
  };
}

interface ReportMembers {
  readonly packages?: object;
  readonly enrichments?: Readonly<Record<string, readonly CoverageMembers[]>>;
}

interface CoverageMembers {
  readonly status?: string;
  readonly feeds?: readonly Feed[];
  readonly problems?: readonly unknown[];
  readonly unassessed?: readonly unknown[];
  readonly undecided_packages?: readonly unknown[];
}

interface Feed {
  readonly ecosystem: string;
  readonly covered: boolean;
  readonly outdated?: boolean;
}

function nameOf({ ecosystem }: Feed): string {
  return ecosystem;
}

/**
 * A coverage as the value of a header: `partial;uncovered="alpine:v3.99 npm";problems=2`. A parameter without content is absent.
 * @see https://www.rfc-editor.org/rfc/rfc8941#section-3.3
 */
export function coverageHeader({ isComplete, uncovered, outdated, problems }: ReportedCoverage): string {
  return [
    isComplete ? "complete" : "partial",
    ...namesParameter("uncovered", uncovered),
    ...namesParameter("outdated", outdated),
    ...(problems > 0 ? [`problems=${problems}`] : []),
  ].join(";");
}

/** The most characters of the names in a parameter. */
const maxNamesLength = 1_000;

/** The names come from images: only the characters that a string in a header may have are left. */
function namesParameter(parameter: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const text = names.map((name) => name.replace(/[^!#-[\]-~]/g, "?")).join(" ");
  return [`${parameter}="${text.length > maxNamesLength ? `${text.slice(0, maxNamesLength)}...` : text}"`];
}

/** A report in which packages were not judged. */
export interface UnjudgedReport {
  /** The digest of the image. */
  readonly manifest: string;
  /** Distributions and languages without a loaded feed. */
  readonly uncovered: readonly string[];
}

/** How many different lists of distributions and languages are remembered. */
const maxNoted = 1_000;

/** Logs which distributions and languages were not judged, once for each list of them. */
export function noteUnjudged(logger: Pick<Logger, "warn">): (report: UnjudgedReport) => void {
  const noted = new Set<string>();
  return (report) => {
    const list = report.uncovered.join(" ");
    if (noted.has(list)) return;
    if (noted.size >= maxNoted) noted.clear();
    noted.add(list);
    logger.warn(report, "report_not_judged");
  };
}
