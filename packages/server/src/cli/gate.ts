import {
  hidesNothing,
  missingRiskFacts,
  riskData,
  type UndecidedPackages,
  undecidedPairsText,
  undecidedText,
} from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import type { Coverage, Finding, ScanReport, UnassessedPackages } from "@plimsoll/scanner";
import { unassessedKinds } from "../render/footer.ts";
import { imageName } from "../render/image-header.ts";
import { counted } from "../render/terminal-text.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { cannotTell, type FindingFilter, isOfAll, lacksScore, neededRiskFacts, passes } from "./finding-filter.ts";

/** The settings that decide the exit code. */
export interface GateRules {
  readonly failOn?: FindingFilter;
  /** The word for a finding in messages; `finding` by default. */
  readonly finding?: string;
  readonly strict: boolean;
  /** The gate considers only what could be assessed and decided, and does not fail because something could not be. */
  readonly allowIncomplete: boolean;
  /** The age from which advisory data are too old. The reports say which are; this is for the message. */
  readonly maxDbAgeDays: number;
  /** Who has the advisory data, and so who can update them: this command's database by default. */
  readonly data?: "database" | "registry";
}

/** The exit code for finished scans, and the messages about it. */
export interface GateResult {
  readonly code: ExitCode;
  /** Why the code is not 0. */
  readonly reasons: readonly string[];
  /** What the gate did not judge; independent of the code. */
  readonly notes: readonly string[];
}

/**
 * The exit code for finished scans. With `--strict`, an incomplete scan fails first. Otherwise a gate with findings fails as a
 * gate. A gate without findings fails as well if the scan was incomplete or the data too old, unless `allowIncomplete` is set.
 */
export function judgeScans(reports: readonly ScanReport[], rules: GateRules): GateResult {
  const { failOn, strict, allowIncomplete } = rules;
  const missing = reports.flatMap((report) => [
    ...incompleteReasons(report, rules),
    ...undecidedReasons(report, rules),
    ...unknownRiskReasons(report, rules),
  ]);
  const found = failOn === undefined ? [] : reports.flatMap((report) => gateReasons(report, failOn, rules.finding));
  const notes = reports.flatMap((report) => unjudgedNotes(report, rules));
  if (strict && missing.length > 0) {
    return { code: exitCodes.scan, reasons: [...missing.map((reason) => `--strict: ${reason}`), ...found], notes };
  }
  if (found.length > 0) return { code: exitCodes.gate, reasons: found, notes };
  const outdated = reports.flatMap((report) => outdatedReasons(report, rules));
  if (failOn === undefined || allowIncomplete || missing.length + outdated.length === 0)
    return { code: exitCodes.ok, reasons: [], notes };
  const reasons = [...missing, ...outdated].map((reason) => `--fail-on could not judge: ${reason}`);
  const code = missing.length > 0 ? exitCodes.scan : exitCodes.database;
  return { code, reasons: [...reasons, allowIncompleteHint], notes };
}

const allowIncompleteHint =
  "--fail-on: add --allow-incomplete to judge only what could be assessed, with the loaded data";

/** How to get newer data, and data for an ecosystem that has none. */
const remedies = {
  database: {
    update: "run plimsoll db update",
    cover: "run plimsoll db update for a feed that does",
    know: (feed: string) => `run plimsoll db update --feed ${feed}, and scan again`,
  },
  registry: {
    update: "the registry updates it: ask its operator for the reason",
    cover: "ask the operator of the registry to load one that does",
    know: (feed: string) => `ask the operator of the registry to load the feed ${feed}`,
  },
} as const;

function outdatedReasons({ vulnerabilities }: ScanReport, { maxDbAgeDays, data = "database" }: GateRules): string[] {
  return vulnerabilities.feeds.flatMap(({ ecosystem, checkedAt, outdated }) => {
    if (outdated !== true || checkedAt === undefined) return [];
    const since = new Date(checkedAt).toISOString();
    const age = `was last checked at ${since}, more than ${counted(maxDbAgeDays, "day")} ago`;
    return [`the feed of ${ecosystem} ${age}: ${remedies[data].update}, or allow more with --max-db-age-days`];
  });
}

function gateReasons(report: ScanReport, failOn: FindingFilter, finding = "finding"): string[] {
  const count = report.findings().filter((finding) => passes(failOn, finding)).length;
  const filter = failOn.text === undefined ? "" : ` (${safeText(failOn.text)})`;
  return count === 0 ? [] : [`--fail-on: ${counted(count, finding)} in ${imageName(report)}${filter}`];
}

/**
 * The numbers of findings that a gate cannot judge: those of Unknown severity, if the filter is one of severities and excludes it, and undecided
 * ones.
 */
export function unjudged(report: ScanReport, failOn: FindingFilter): { unknown: number; undecided: number } {
  const ofUnknown = report.findings().filter((finding) => {
    return finding.severity === "Unknown" && (!failOn.fixable || finding.fixedIn !== undefined);
  });
  return {
    unknown: failOn.severities.size === 0 || failOn.severities.has("Unknown") ? 0 : ofUnknown.length,
    undecided: report.vulnerabilities.undecided.length,
  };
}

function unjudgedNotes(report: ScanReport, { failOn, strict, allowIncomplete }: GateRules): string[] {
  if (failOn === undefined) return [];
  const { unknown, undecided: pairs } = unjudged(report, failOn);
  const undecided = isOfAll(failOn) ? 0 : pairs; // a reason, not a note
  const image = imageName(report);
  return [
    ...(unknown === 0
      ? []
      : [
          `--fail-on did not judge ${counted(unknown, "finding")} of Unknown severity in ${image}: unknown+ includes them`,
        ]),
    ...(undecided === 0
      ? []
      : [`--fail-on did not judge ${counted(undecided, "undecided finding")} in ${image}: ${pairsText(report)}`]),
    ...(strict && !allowIncomplete
      ? []
      : scorelessTexts(report, failOn).map((text) => `--fail-on did not judge: ${text}`)),
  ];
}

function incompleteReasons(report: ScanReport, { data = "database" }: GateRules): string[] {
  const { coverage, feeds } = report.vulnerabilities;
  const uncovered = feeds.filter((feed) => !feed.covered).map((feed) => feed.ecosystem);
  const unassessed = unassessedTexts(coverage.unassessed);
  return [
    ...(isUnread(coverage, uncovered)
      ? [`${imageName(report)} could not be read completely; the report's coverage says what is missing`]
      : []),
    ...(unassessed.length > 0
      ? [`${imageName(report)} has evidence of packages that are not assessed (${unassessed.join(", ")})`]
      : []),
    ...uncovered.map((ecosystem) => `no loaded feed covers ${ecosystem}: ${remedies[data].cover}`),
    ...unknownDistribution(report),
    ...nothingFound(report),
  ];
}

/** Whether a part of the image could not be read. Reports of packages that were read but are not judged are partial, too. */
function isUnread(coverage: Coverage, uncovered: readonly string[]): boolean {
  const { status, layers, problems, unassessed, undecided = [], thirdPartyPackages } = coverage;
  if (status !== "partial" || unassessed.length + unjudgeable(coverage).length > 0) return false;
  const isOnlyUnjudged = thirdPartyPackages + uncovered.length + undecided.length > 0;
  return !isOnlyUnjudged || problems.length > 0 || layers.some((layer) => layer.status !== "read");
}

/** Packages that cannot be judged. */
function unjudgeable({ undecided = [] }: Coverage): readonly UndecidedPackages[] {
  return undecided.filter(({ fact }) => !hidesNothing.has(fact));
}

/**
 * Packages that cannot be judged fail every gate. Undecided findings, and packages of third parties, for which the distribution's advisories say
 * nothing, fail a gate that means all findings, and `--strict`.
 */
function undecidedReasons(report: ScanReport, { failOn, strict, allowIncomplete }: GateRules): string[] {
  if (allowIncomplete) return [];
  const { coverage, packages, undecided } = report.vulnerabilities;
  const image = imageName(report);
  const ofPackages = unjudgeable(coverage).map((each) => `${image} has ${undecidedText(each, packages)}`);
  if (!strict && (failOn === undefined || !isOfAll(failOn))) return ofPackages.map(safeText);
  const kinds = [...new Set(undecided.map(({ reason }) => reason))].sort().join(", ");
  const { thirdPartyPackages } = coverage;
  const others = (coverage.undecided ?? []).filter(({ fact }) => fact !== "statement" && hidesNothing.has(fact));
  return [
    ...ofPackages.map(safeText),
    ...others.map((each) => safeText(`${image} has ${undecidedText(each, packages)}`)),
    ...(undecided.length > 0
      ? [`${image} has ${counted(undecided.length, "undecided finding")} (${kinds}): ${pairsText(report)}`]
      : []),
    ...(thirdPartyPackages > 0
      ? [
          `${image} has ${counted(thirdPartyPackages, "package")} that the distribution did not make, so that no advisory judges them`,
        ]
      : []),
  ];
}

function pairsText({ vulnerabilities: { undecided, packages } }: ScanReport): string {
  return `${safeText(undecidedPairsText(undecided, packages))}: plimsoll explain gives the reason`;
}

/**
 * A gate by risk cannot judge a report that was made without the data about it, or does not say so, and no finding without a CVE id: no fact about a
 * finding is then no statement that there is none.
 */
function unknownRiskReasons(report: ScanReport, rules: GateRules): string[] {
  const { failOn, strict, allowIncomplete, data = "database" } = rules;
  if (allowIncomplete || failOn === undefined) return [];
  const missing = missingRiskFacts(report.vulnerabilities);
  const ofFacts = neededRiskFacts(failOn).flatMap((fact) => {
    if (!missing.includes(fact)) return [];
    const { title, feed } = riskData[fact];
    const why =
      report.vulnerabilities.enrichers === undefined ? "does not say that it was made with" : "was made without";
    return [`${imageName(report)}: its report ${why} ${title}: ${remedies[data].know(feed)}`];
  });
  return [...ofFacts, ...withoutCveReasons(report, failOn), ...(strict ? scorelessTexts(report, failOn) : [])];
}

function withoutCveReasons(report: ScanReport, failOn: FindingFilter): string[] {
  const unknown = report.findings().filter((finding) => cannotTell(failOn, finding));
  return namedText(report, unknown, "without a CVE id, by which exploits are looked up");
}

/** A CVE without a score is not unlikely to be exploited: most have none because they are new. */
function scorelessTexts(report: ScanReport, failOn: FindingFilter): string[] {
  if (missingRiskFacts(report.vulnerabilities).includes("epss")) return [];
  const unknown = report.findings().filter((finding) => lacksScore(failOn, finding));
  return namedText(report, unknown, "of which EPSS has no score, as of new CVEs");
}

function namedText(report: ScanReport, findings: readonly Finding[], what: string): string[] {
  if (findings.length === 0) return [];
  const names = [...new Set(findings.map(({ id }) => id))];
  const named = [...names.slice(0, namedFindings), ...(names.length > namedFindings ? ["…"] : [])].join(", ");
  return [safeText(`${imageName(report)} has ${counted(findings.length, "finding")} ${what}: ${named}`)];
}

const namedFindings = 3;

const namedKinds = 3;

function unassessedTexts(unassessed: readonly UnassessedPackages[]): string[] {
  const { named, others } = unassessedKinds(unassessed, namedKinds);
  return [...named.map(({ kind, count }) => `${count} of ${kind}`), ...(others === undefined ? [] : [others])];
}

/** An image without packages may need none, or may be none at all: a gate cannot know. */
function nothingFound(report: ScanReport): string[] {
  const { packages, coverage } = report.index;
  if (Object.keys(packages).length > 0 || coverage.status === "partial") return [];
  return [`${imageName(report)} has no known package: neither a distribution's packages nor evidence of others`];
}

function unknownDistribution(report: ScanReport): string[] {
  const { index, vulnerabilities } = report;
  const isSaid = vulnerabilities.feeds.length > 0 || vulnerabilities.coverage.undecided !== undefined;
  if (isSaid || Object.keys(index.packages).length === 0) return [];
  return [`${imageName(report)} has packages but no distribution whose advisories are known`];
}
