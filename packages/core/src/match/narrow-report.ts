import type { VulnerabilityReport } from "./report.ts";
import { vulnerabilityNames } from "./vulnerability-names.ts";

/**
 * The report without the findings, undecided and suppressed entries of other vulnerabilities.
 * @param names of the vulnerability; case does not matter
 * @example
 * declare const report: VulnerabilityReport;
 * const { vulnerabilities } = narrowReport(report, ["CVE-2021-44228", "GHSA-jfh8-c2jp-5v3q"]);
 */
export function narrowReport(report: VulnerabilityReport, names: readonly string[]): VulnerabilityReport {
  const wanted = new Set(names.map((name) => name.toUpperCase()));
  const isWanted = (name: string, aliases: readonly string[] = []) =>
    [name, ...aliases, ...vulnerabilityNames({ name, aliases })].some((each) => wanted.has(each.toUpperCase()));
  const vulnerabilities = Object.fromEntries(
    Object.entries(report.vulnerabilities).filter(([, { name, aliases }]) => isWanted(name, aliases)),
  );
  const isKept = (id: string) => Object.hasOwn(vulnerabilities, id);
  const packageVulnerabilities = Object.entries(report.packageVulnerabilities)
    .map(([packageId, ids]) => [packageId, ids.filter(isKept)] as const)
    .filter(([, ids]) => ids.length > 0);
  return {
    ...report,
    vulnerabilities,
    packageVulnerabilities: Object.fromEntries(packageVulnerabilities),
    undecided: report.undecided.filter(({ name }) => isWanted(name)),
    suppressed: report.suppressed.filter(({ vulnerabilityId }) => isKept(vulnerabilityId)),
  };
}
