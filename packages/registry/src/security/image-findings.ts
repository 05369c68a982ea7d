import type { Vulnerability, VulnerabilityReport } from "@plimsoll/core";
import { riskFinder } from "@plimsoll/core/internal";
import type { Risk } from "@plimsoll/core/match";
import { cooperativeYield } from "@plimsoll/store";

/** A vulnerability in a package of an image. */
export interface ImageFinding {
  readonly package: string;
  readonly vulnerability: Pick<Vulnerability, "name" | "aliases" | "issuedAt">;
  readonly risk: Risk;
}

/** The findings of a report, in no order. Other work of the thread runs in between. */
export async function findingsOf(report: VulnerabilityReport): Promise<readonly ImageFinding[]> {
  const yieldToOthers = cooperativeYield();
  const findRisk = riskFinder(report);
  const risks = new Map<string, Risk>();
  const riskOf = (id: string, vulnerability: Vulnerability): Risk => {
    const risk = risks.get(id) ?? findRisk(id, vulnerability);
    risks.set(id, risk);
    return risk;
  };
  const findings: ImageFinding[] = [];
  for (const [packageId, ids] of Object.entries(report.packageVulnerabilities)) {
    for (const id of ids) {
      const vulnerability = report.vulnerabilities[id];
      if (vulnerability === undefined) continue;
      const risk = riskOf(id, vulnerability);
      findings.push({ package: report.packages[packageId]?.name ?? "", vulnerability, risk });
    }
    await yieldToOthers();
  }
  return findings;
}
