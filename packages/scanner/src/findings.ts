import {
  compareSeverity,
  type Digest,
  type Package,
  type Severity,
  type Vulnerability,
  type VulnerabilityReport,
} from "@plimsoll/core";

/** One vulnerability of one package, with everything joined that a reader asks for. */
export interface Finding {
  /** The vulnerability's name: `CVE-2024-45491`. */
  readonly id: string;
  readonly package: Package;
  readonly severity: Severity;
  /** Absent where no fix is known. */
  readonly fixedIn?: string;
  /** The layer that brought the package. */
  readonly layer?: Digest;
  readonly packageDb?: string;
  readonly vulnerability: Vulnerability;
}

/** Which findings are wanted. */
export interface FindingFilter {
  /** The least severe that counts. */
  readonly min?: Severity;
  /** `available`: only those with a known fix. */
  readonly fix?: "available";
}

/** The findings of a report: by package, worst first. */
export function listFindings(report: VulnerabilityReport, filter: FindingFilter = {}): Finding[] {
  const { min = "Unknown", fix } = filter;
  return Object.entries(report.packageVulnerabilities)
    .flatMap(([packageId, ids]) => ids.flatMap((id) => findingOf(report, packageId, id) ?? []))
    .filter((finding) => compareSeverity(finding.severity, min) >= 0)
    .filter((finding) => fix === undefined || finding.fixedIn !== undefined);
}

function findingOf(report: VulnerabilityReport, packageId: string, id: string): Finding | undefined {
  const found = report.packages[packageId];
  const vulnerability = report.vulnerabilities[id];
  if (found === undefined || vulnerability === undefined) return undefined;
  const environment = report.environments[packageId]?.[0];
  return {
    id: vulnerability.name,
    package: found,
    severity: vulnerability.normalizedSeverity,
    vulnerability,
    ...(vulnerability.fixedInVersion === undefined ? {} : { fixedIn: vulnerability.fixedInVersion }),
    ...(environment === undefined ? {} : { layer: environment.introducedIn, packageDb: environment.packageDb }),
  };
}
