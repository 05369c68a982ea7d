import type { Coverage, FeedCoverage, Severity, UnassessedPackages } from "@plimsoll/scanner";
import { type Finding, severities, type VulnerabilityReport } from "@plimsoll/scanner";
import { counted } from "./counted.ts";
import { safeText } from "./terminal-text.ts";

/** What the table's last lines say: how many were found, and what that number is worth. */
export function* scanFooter(report: VulnerabilityReport, shown: readonly Finding[]): Iterable<string> {
  yield countLine(report, shown);
  yield `coverage: ${coverageLine(report.coverage, report)}`;
  for (const line of problemLines(report.coverage)) yield line;
  yield `advisories: ${dataLine(report.feeds)}`;
}

/** The coverage line and what could not be read. */
export function* indexFooter(coverage: Coverage, packages: Readonly<Record<string, unknown>>): Iterable<string> {
  yield `coverage: ${coverageLine(coverage, { packages })}`;
  for (const line of problemLines(coverage)) yield line;
}

function countLine(report: VulnerabilityReport, shown: readonly Finding[]): string {
  const counts = Object.groupBy(shown, (finding) => finding.severity) as Partial<Record<Severity, Finding[]>>;
  const words = severities
    .toReversed()
    .flatMap((severity) => (counts[severity] === undefined ? [] : [`${counts[severity].length} ${severity}`]));
  const total = Object.values(report.packageVulnerabilities).reduce((sum, ids) => sum + ids.length, 0);
  const hidden = total > shown.length ? `; ${total - shown.length} more not shown` : "";
  const undecided = report.undecided.length > 0 ? `; ${report.undecided.length} undecided` : "";
  return `${counted(shown.length, "finding")}${words.length > 0 ? ` (${words.join(", ")})` : ""}${hidden}${undecided}`;
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
  if (coverage.problems.length > 0) parts.push(counted(coverage.problems.length, "problem"));
  if (coverage.unassessed.length > 0) parts.push("some packages not assessed");
  return parts.join(", ");
}

function unassessedText({ kind, count, evidence }: UnassessedPackages): string {
  const [first] = evidence;
  const where = first === undefined ? "" : ` (${count > 1 ? "first: " : ""}${safeText(first.path)})`;
  return `${count} ${kind}${where}`;
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
  if (coverage.unassessed.length > 0) yield `not assessed: ${coverage.unassessed.map(unassessedText).join("; ")}`;
}

function dataLine(feeds: readonly FeedCoverage[]): string {
  if (feeds.length === 0) return "none asked for: no package has a distribution whose advisories could be looked up";
  return feeds.map(feedText).join("; ");
}

function feedText(feed: FeedCoverage): string {
  if (!feed.covered) return `${feed.ecosystem} is NOT covered by any loaded feed`;
  const date = feed.checkedAt === undefined ? "an unknown date" : new Date(feed.checkedAt).toISOString();
  return `${feed.ecosystem} covered by data of ${date}${feed.outdated === true ? ", which is too old" : ""}`;
}
