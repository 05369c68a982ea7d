import {
  type Json,
  parseVulnerabilityReportJson,
  type Risk,
  risksOf,
  type Vulnerability,
  type VulnerabilityReport,
  type VulnerabilityReportJson,
} from "@plimsoll/core";

/** A vulnerability in a package of an image. */
export interface ImageFinding {
  readonly package: string;
  readonly vulnerability: Pick<Vulnerability, "name" | "aliases" | "issuedAt">;
  readonly risk: Risk;
}

/** The findings of a report, in no order. */
export function findingsOf(json: VulnerabilityReportJson): readonly ImageFinding[] {
  return findingsOfReport(parseVulnerabilityReportJson(json as unknown as Json));
}

/** As {@link findingsOf}, for a parsed report. */
export function findingsOfReport(report: VulnerabilityReport): readonly ImageFinding[] {
  const risks = risksOf(report);
  return Object.entries(report.packageVulnerabilities).flatMap(([packageId, ids]) =>
    ids.flatMap((id) => {
      const [vulnerability, risk] = [report.vulnerabilities[id], risks.get(id)];
      if (vulnerability === undefined || risk === undefined) return [];
      return [{ package: report.packages[packageId]?.name ?? "", vulnerability, risk }];
    }),
  );
}
