import type { ScanReport } from "@plimsoll/scanner";
import { imageName } from "../render/image-header.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { type FindingFilter, passes } from "./finding-filter.ts";

/** What the user lets decide over the exit code. */
export interface GateRules {
  readonly failOn?: FindingFilter;
  readonly strict: boolean;
}

/** The exit code of finished scans, with the reasons for anything but success. Incomplete goes before the gate. */
export function judgeScans(
  reports: readonly ScanReport[],
  rules: GateRules,
): { readonly code: ExitCode; readonly reasons: readonly string[] } {
  const incomplete = rules.strict ? reports.flatMap(incompleteReasons) : [];
  const gate = reports.flatMap((report) => gateReasons(report, rules.failOn));
  const reasons = [...incomplete, ...gate];
  if (incomplete.length > 0) return { code: exitCodes.scan, reasons };
  return { code: gate.length > 0 ? exitCodes.gate : exitCodes.ok, reasons };
}

function gateReasons(report: ScanReport, failOn: FindingFilter | undefined): string[] {
  if (failOn === undefined) return [];
  const count = report.findings().filter((finding) => passes(failOn, finding.severity, finding.fixedIn)).length;
  return count === 0 ? [] : [`--fail-on: ${count} findings in ${imageName(report)}`];
}

function incompleteReasons(report: ScanReport): string[] {
  const { coverage, feeds } = report.vulnerabilities;
  const uncovered = feeds.filter((feed) => !feed.covered).map((feed) => feed.ecosystem);
  return [
    ...(coverage.status === "partial" ? [`--strict: ${imageName(report)} could not be read whole`] : []),
    ...uncovered.map((ecosystem) => `--strict: no loaded feed covers ${ecosystem}`),
    ...unknownDistribution(report),
  ];
}

function unknownDistribution(report: ScanReport): string[] {
  const { index, vulnerabilities } = report;
  const judged = vulnerabilities.feeds.length > 0;
  if (judged || Object.keys(index.packages).length === 0) return [];
  return [`--strict: ${imageName(report)} has packages but no distribution whose advisories are known`];
}
