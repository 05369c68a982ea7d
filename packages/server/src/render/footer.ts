import { cveFactsOf, skipRules, undecidedPairsText, undecidedText } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import {
  type Coverage,
  type FeedCoverage,
  type Finding,
  type Severity,
  severities,
  type UnassessedPackages,
  type VulnerabilityReport,
} from "@plimsoll/scanner";
import { counted } from "./terminal-text.ts";

/** The lines below the table of findings: their number, the sources, coverage and feeds. */
export function* scanFooter(report: VulnerabilityReport, shown: readonly Finding[]): Iterable<string> {
  yield countLine(report, shown);
  yield* sourceLines(shown);
  yield* rejectedLines(report, shown);
  yield* coverageLines(report.coverage, report);
  for (const each of report.coverage.undecided ?? []) {
    yield `undecided: ${safeText(undecidedText(each, report.packages))}`;
  }
  if (report.undecided.length > 0)
    yield `undecided: ${safeText(undecidedPairsText(report.undecided, report.packages))}: plimsoll explain gives the reason`;
  yield* dataLines(report);
}

/** The lines below the table of packages: coverage and problems. */
export function* indexFooter(coverage: Coverage, packages: VulnerabilityReport["packages"]): Iterable<string> {
  yield* coverageLines(coverage, { packages });
}

function* coverageLines(coverage: Coverage, about: Pick<VulnerabilityReport, "packages">): Iterable<string> {
  yield `coverage: ${coverageLine(coverage, about)}`;
  if (Object.keys(about.packages).length === 0 && coverage.status === "complete")
    yield "  no known package: neither a distribution's packages nor evidence of others";
  yield* problemLines(coverage);
}

/** What a report covers, in one line: its coverage, its undecided findings, and the ecosystems without a feed. */
export function coverageText(report: VulnerabilityReport): string {
  const uncovered = report.feeds.filter(({ covered }) => !covered);
  return [
    coverageLine(report.coverage, report),
    ...(report.undecided.length > 0 ? [counted(report.undecided.length, "undecided finding")] : []),
    ...(uncovered.length > 0
      ? [`no feed for ${uncovered.map(({ ecosystem }) => safeText(ecosystem)).join(", ")}`]
      : []),
  ].join(", ");
}

function countLine(report: VulnerabilityReport, shown: readonly Finding[]): string {
  const counts = Object.groupBy(shown, (finding) => finding.severity) as Partial<Record<Severity, Finding[]>>;
  const words = severities
    .toReversed()
    .flatMap((severity) => (counts[severity] === undefined ? [] : [`${counts[severity].length} ${severity}`]));
  const total = Object.values(report.packageVulnerabilities).reduce((sum, ids) => sum + ids.length, 0);
  const hidden = total > shown.length ? `; ${total - shown.length} more not shown` : "";
  const undecided = report.undecided.length > 0 ? `; ${report.undecided.length} undecided` : "";
  const exploited = shown.filter(({ risk }) => risk.isExploited).length;
  const known = exploited > 0 ? `; ${exploited} known to be exploited` : "";
  const suppressed = report.suppressed.length > 0 ? `; ${report.suppressed.length} suppressed` : "";
  const severityText = words.length > 0 ? ` (${words.join(", ")})` : "";
  return `${counted(shown.length, "finding")}${severityText}${known}${hidden}${undecided}${suppressed}`;
}

/** The sources of the shown severities, unless all are from the feeds of their findings. */
function* sourceLines(shown: readonly Finding[]): Iterable<string> {
  if (shown.every(({ severitySource, vulnerability }) => severitySource === vulnerability.updater)) return;
  const rated = shown.filter(({ severity }) => severity !== "Unknown");
  const counts = Object.entries(Object.groupBy(rated, ({ severitySource }) => severitySource));
  const sorted = counts.map(([source, of = []]) => [source, of.length] as const).sort(([, a], [, b]) => b - a);
  yield `severities: ${sorted.map(([source, count]) => `${count} by ${safeText(source)}`).join(", ")}`;
}

const shownRejected = 5;

/** Rejected CVE ids. A feed may still list them, although they describe no vulnerability. */
function* rejectedLines({ enrichments }: VulnerabilityReport, shown: readonly Finding[]): Iterable<string> {
  const cves = cveFactsOf(enrichments);
  const rejected = shown.flatMap(({ vulnerability }) =>
    (cves.get(vulnerability.id) ?? []).flatMap(({ cve, state }) => (state === "REJECTED" ? [cve] : [])),
  );
  const ids = [...new Set(rejected)];
  if (ids.length === 0) return;
  const rest = ids.length > shownRejected ? ` and ${ids.length - shownRejected} more` : "";
  yield `rejected by their CNA: ${ids.slice(0, shownRejected).map(safeText).join(", ")}${rest}`;
}

function coverageLine(
  coverage: Coverage,
  { packages }: { readonly packages: Readonly<Record<string, unknown>> },
): string {
  const layers = coverage.layers.filter((layer) => layer.status === "read").length;
  const parts = [
    coverage.status,
    `${layers} of ${counted(coverage.layers.length, "layer")} read`,
    `${counted(Object.keys(packages).length, "package")} in ${counted(coverage.databases.length, "database")}`,
  ];
  if (coverage.thirdPartyPackages > 0)
    parts.push(`${counted(coverage.thirdPartyPackages, "third-party package")} not judged`);
  const undecided = new Set((coverage.undecided ?? []).flatMap(({ packageIds }) => packageIds)).size;
  if (undecided > 0) parts.push(counted(undecided, "undecided package"));
  if (coverage.problems.length > 0) parts.push(counted(coverage.problems.length, "problem"));
  return parts.join(", ");
}

/** The most kinds with their own line, and the most columns of such a line. Other formats have all evidence. */
const [shownKinds, lineColumns] = [5, 80];

/** Packages in the image that no feed was consulted for: the kinds with the most evidence, each with the end of its first path. */
function* unassessedLines(unassessed: readonly UnassessedPackages[]): Iterable<string> {
  if (unassessed.length === 0) return;
  yield "not assessed: packages of these kinds, by how many pieces of evidence there are";
  const { named, others } = unassessedKinds(unassessed, shownKinds);
  for (const { kind, count, evidence } of named) {
    const [first] = evidence;
    const start = `  ${count} ${kind}`;
    const before = `${start} (${count > 1 ? "first: " : ""}`;
    yield first === undefined ? start : `${before}${endOf(safeText(first.path), lineColumns - before.length - 1)})`;
  }
  if (others !== undefined) yield `  and ${others}`;
  yield "  all of them, with their evidence: -o json";
}

/** The end of a path, which says more than its beginning. */
function endOf(path: string, length: number): string {
  return path.length <= length ? path : `…${path.slice(1 - length)}`;
}

const shownProblems = 10;

function* problemLines(coverage: Coverage): Iterable<string> {
  for (const layer of coverage.layers) {
    if (layer.status !== "read") yield `  layer ${layer.digest} ${layer.status}: ${safeText(layer.message ?? "")}`;
  }
  for (const problem of coverage.problems.slice(0, shownProblems)) {
    yield `  ${safeText(problem.at)}: ${safeText(problem.message)}`;
  }
  if (coverage.problems.length > shownProblems)
    yield `  and ${counted(coverage.problems.length - shownProblems, "more problem")}`;
  yield* unassessedLines(coverage.unassessed);
}

function* dataLines({ feeds, coverage }: VulnerabilityReport): Iterable<string> {
  if (feeds.length === 0) yield `advisories: none, as ${noFeedReason(coverage)}`;
  for (const [index, feed] of feeds.entries()) yield `${index === 0 ? "advisories:" : "           "} ${feedText(feed)}`;
}

/** Why no advisory was looked up. */
function noFeedReason({ undecided = [], unassessed }: Coverage): string {
  if (undecided.some(({ fact }) => fact !== "ecosystem"))
    return "facts are not known without which they cannot be looked up";
  return unassessed.length > 0
    ? "no package was found by which they are looked up"
    : "no package is of a distribution or language that has them";
}

function feedText(feed: FeedCoverage): string {
  if (!feed.covered) return `${feed.ecosystem} is NOT covered by any loaded feed`;
  const date = feed.checkedAt === undefined ? "an unknown date" : new Date(feed.checkedAt).toISOString();
  return `${feed.ecosystem} covered by data of ${date}${feed.outdated === true ? ", which is too old" : ""}`;
}

/** What the records of a feed are that a rule leaves out: `fixes of bugs, and enhancements`. Other updaters than the engine's have rules of their own. */
export function skipRuleMeaning(rule: string): string {
  return Object.entries<string>(skipRules).find(([name]) => name === rule)?.[1] ?? "a rule of the updater";
}

/** Kinds of packages that were not assessed, and a text about the number of other kinds. */
interface UnassessedKinds {
  readonly named: readonly UnassessedPackages[];
  readonly others?: string;
}

/** The kinds with the most evidence. @param most how many of them are named */
export function unassessedKinds(unassessed: readonly UnassessedPackages[], most: number): UnassessedKinds {
  const named = unassessed.toSorted((one, other) => other.count - one.count).slice(0, most);
  const left = unassessed.length - named.length;
  return { named, others: left > 0 ? counted(left, "more kind") : undefined };
}
