import type { IndexReport, Package, Vulnerability, VulnerabilityReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import {
  type ImageConfig,
  isForDevelopment,
  type PackageUse,
  packageUses,
  type Risk,
  shownRating,
} from "@plimsoll/core/internal";
import { compareRisk, risksOf } from "@plimsoll/core/match";
import { compareSeverity, type Severity } from "@plimsoll/core/severity";

/** A vulnerability of a package, with the details that readers need. */
export interface Finding {
  /** The vulnerability's name: `CVE-2024-45491`. */
  readonly id: string;
  readonly package: Package;
  readonly severity: Severity;
  /** The source of the severity: a feed (`debian`), or the author of a score in the National Vulnerability Database (`nvd@nist.gov`). */
  readonly severitySource: string;
  /** The facts by which findings are ranked. */
  readonly risk: Risk;
  /** Absent if no fix is known. */
  readonly fixedIn?: string;
  /** The layer that added the package. */
  readonly layer?: Digest;
  readonly packageDb?: string;
  readonly vulnerability: Vulnerability;
  /**
   * The packages by which its package is needed: the first is needed by none, each other one by that before it, and the package by the last. Of a longer
   * chain, the last 32. Absent if no package needs it, or it is not known.
   */
  readonly neededBy?: readonly Package[];
  /**
   * `no evidence`: nothing in the image is known to need its package, and what the image starts is known and does not lead to it. It does not follow that the
   * package is not used. Absent if there is evidence, or if it is not known what the image starts.
   */
  readonly reached?: "no evidence";
  /** Present if the package is only a development dependency of a project. */
  readonly isForDevelopment?: true;
}

/** Selects findings. */
export interface FindingFilter {
  /** The lowest severity to include. */
  readonly min?: Severity;
  /** `available`: only those with a known fix. */
  readonly fix?: "available";
}

/** What findings are made of: the reports of an image, and its configuration, if that is known. */
export interface MatchedReports {
  readonly index: IndexReport;
  readonly vulnerabilities: VulnerabilityReport;
  readonly config?: ImageConfig;
}

/** The findings of a report, greatest risk first ({@link compareRisk}), then by package and name. */
export function listFindings(
  { index, vulnerabilities: report, config }: MatchedReports,
  filter: FindingFilter = {},
): Finding[] {
  const { min = "Unknown", fix } = filter;
  const risks = risksOf(report);
  const useOf = packageUses(index, config?.start);
  return Object.entries(report.packageVulnerabilities)
    .flatMap(([packageId, ids]) => {
      const same = { packageId, use: ids.length > 0 ? useOf(packageId) : {} };
      return ids.flatMap((id) => findingOf(report, { ...same, risk: risks.get(id), id }) ?? []);
    })
    .filter((finding) => compareSeverity(finding.severity, min) >= 0)
    .filter((finding) => fix === undefined || finding.fixedIn !== undefined)
    .sort(byRisk);
}

function byRisk(a: Finding, b: Finding): number {
  return (
    compareRisk(a.risk, b.risk) ||
    compareText(a.package.name, b.package.name) ||
    compareText(a.package.version, b.package.version) ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface FoundIn {
  readonly packageId: string;
  readonly use: PackageUse;
  readonly risk: Risk | undefined;
  readonly id: string;
}

function findingOf(report: VulnerabilityReport, { packageId, use, risk, id }: FoundIn): Finding | undefined {
  const found = report.packages[packageId];
  const vulnerability = report.vulnerabilities[id];
  if (found === undefined || vulnerability === undefined || risk === undefined) return undefined;
  const environment = report.environments[packageId]?.[0];
  return {
    id: vulnerability.name,
    package: found,
    severity: vulnerability.normalizedSeverity,
    severitySource: shownRating(vulnerability.ratings ?? [])?.source ?? vulnerability.updater,
    risk,
    vulnerability,
    ...use,
    isForDevelopment: isForDevelopment(report, packageId) ? true : undefined,
    fixedIn: vulnerability.fixedInVersion,
    layer: environment?.introducedIn === undefined ? undefined : environment.introducedIn,
    packageDb: environment?.packageDb,
  };
}
