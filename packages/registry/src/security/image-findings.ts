import type { Vulnerability, VulnerabilityReport } from "@plimsoll/core";
import {
  attachedKinds,
  type Coverage,
  type Risk,
  riskFinder,
  type StatedSbomPackage,
  undecidedText,
} from "@plimsoll/core/internal";
import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageFeed, ScanOutcome } from "../ports/scanning.ts";

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

/** The result of a scan, and its coverage. */
export interface ScannedImage {
  readonly report: VulnerabilityReportJson;
  readonly coverage: Coverage;
  readonly feeds?: readonly ImageFeed[];
  /** The digests of attached SBOMs whose packages may be in the report. */
  readonly sboms?: ReadonlySet<string>;
  /** Packages of attached SBOMs that could not be matched. */
  readonly unmatched?: readonly StatedSbomPackage[];
}

/** The result of a finished scan. */
export type DoneScan = Extract<ScanOutcome, { readonly status: "scanned" }>;

/**
 * Why a scan is incomplete: a part of the image was not read, some packages cannot be judged, or no feed covers some; undefined if it is complete. Attached
 * documents that cannot be read do not count, since they change nothing about the layers. Nor do single advisories that do not say whether a package is
 * affected, since nothing that could be read, loaded or stated would change that.
 */
export function missingOf({
  report,
  coverage,
  feeds = [],
}: Pick<DoneScan, "report" | "coverage" | "feeds">): string | undefined {
  const unread = coverage.layers.find(({ status }) => status === "foreign");
  if (unread !== undefined) return `the layer ${unread.digest} is elsewhere and was not read`;
  const problem = coverage.problems.find(({ code }) => !attachedKinds.some((kind) => kind.code === code));
  if (problem !== undefined) return `${problem.at}: ${problem.message}`;
  const undecided = coverage.undecided?.find(({ fact }) => fact !== "statement");
  if (undecided !== undefined) return undecidedText(undecided, report.packages);
  const bare = feeds.find(({ isCovered }) => !isCovered);
  return bare && `no feed covers ${bare.ecosystem}`;
}
