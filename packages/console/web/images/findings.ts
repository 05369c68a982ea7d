import type { ResultOf } from "../api/operation.ts";
import type { FindingCounts, ShownFinding } from "../findings/shown-finding.ts";
import { type Severity, severities } from "../severities/severities.ts";

/** The result of an image's scan, as the management API shows it. */
export type Security = NonNullable<
  ResultOf<"GET /repository/{repository}/manifest/{manifestref}/security">["data"]
>["Layer"];

/** A package of an image. */
export type Feature = Security["Features"][number];
type Vulnerability = NonNullable<Feature["Vulnerabilities"]>[number];

/** A vulnerability of one package of the image. */
export interface Finding extends ShownFinding {
  /** Unique among the findings of the image. */
  readonly key: string;
  readonly vulnerability: Vulnerability;
  readonly feature: Feature;
}

/** The findings of an image in the registry's ranking, the greatest risk first. */
export function findingsOf({ Features }: Pick<Security, "Features">): readonly Finding[] {
  return Features.flatMap(findingsOfFeature).sort(byRank);
}

function findingsOfFeature(feature: Feature): readonly Finding[] {
  const { Name: packageName, Version: version, AddedBy: layer, Vulnerabilities: vulnerabilities = [] } = feature;
  return vulnerabilities.map((vulnerability) => {
    const score = vulnerability.Metadata.NVD.CVSSv3.Score;
    return {
      key: [packageName, version, layer, vulnerability.Name].join(" "),
      ...{ vulnerability, packageName, version, layer, feature },
      id: vulnerability.Name,
      isExploited: vulnerability.KnownExploited,
      epss: vulnerability.Epss?.Probability,
      severity: severities.find((each) => each === vulnerability.Severity) ?? "Unknown",
      fixedIn: vulnerability.FixedBy,
      score: score === "" ? undefined : score,
    };
  });
}

function byRank(one: Finding, other: Finding): number {
  return one.vulnerability.Rank - other.vulnerability.Rank || (one.key < other.key ? -1 : 1);
}

/** The visitor's filter of findings. */
export interface FindingFilter {
  /** A part of an id, an alias or a package name; case is ignored. */
  readonly text: string;
  /** Undefined: every severity. */
  readonly severity: Severity | undefined;
  readonly onlyFixed: boolean;
  readonly onlyExploited: boolean;
}

/** The findings that match a filter, in their order. */
export function filterFindings(findings: readonly Finding[], filter: FindingFilter): readonly Finding[] {
  const { severity, onlyFixed, onlyExploited } = filter;
  const text = filter.text.toLowerCase();
  return findings.filter((finding) => {
    if (severity !== undefined && finding.severity !== severity) return false;
    if (onlyFixed && finding.fixedIn === "") return false;
    const { packageName, vulnerability } = finding;
    if (onlyExploited && !vulnerability.KnownExploited) return false;
    return [packageName, vulnerability.Name, ...vulnerability.Aliases].some((name) =>
      name.toLowerCase().includes(text),
    );
  });
}

/** The number of findings of each severity that occurs, the worst first. */
export function countSeverities(findings: readonly Finding[]): readonly (readonly [Severity, number])[] {
  const counts = Map.groupBy(findings, ({ severity }) => severity);
  return severities.flatMap((severity) => {
    const count = counts.get(severity)?.length ?? 0;
    return count === 0 ? [] : [[severity, count] as const];
  });
}

/** The numbers in the summary of findings. */
export interface FindingSummary {
  /** How many are known to be exploited. */
  readonly exploited: number;
  readonly fixable: number;
  readonly others: number;
}

/** Counts the findings that are exploited, that have a fix, and that have none. */
export function summaryOf(findings: readonly Finding[]): FindingSummary {
  const fixable = findings.filter(({ fixedIn }) => fixedIn !== "").length;
  const exploited = findings.filter(({ vulnerability }) => vulnerability.KnownExploited).length;
  return { exploited, fixable, others: findings.length - fixable };
}

/** Counts the findings of each kind. */
export function countsOf(findings: readonly Finding[]): FindingCounts {
  const { exploited, fixable } = summaryOf(findings);
  return { severities: countSeverities(findings), exploited, fixable };
}
