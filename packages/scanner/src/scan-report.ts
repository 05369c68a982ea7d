import type { IndexReport, VulnerabilityReport } from "@plimsoll/core";
import { dependencyGraph, type ImageConfig, reachedPackages } from "@plimsoll/core/internal";
import type { Platform } from "@plimsoll/core/platform";
import { toVulnerabilityReportJson, type VulnerabilityReportJson } from "@plimsoll/core/report";
import type { IndexedImage } from "@plimsoll/indexer";
import { type Finding, type FindingFilter, listFindings } from "./findings.ts";

/** The result of a scan of one image. */
export interface ScanReport {
  /** The name of the source. */
  readonly source: string;
  /** The name of the image in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** Set if it is a folder or a file, or a bill of materials of one, and not the image of a container. */
  readonly isFolder?: true;
  /** The content of the image. */
  readonly index: IndexReport;
  /** The vulnerabilities of the image. */
  readonly vulnerabilities: VulnerabilityReport;
  /** Greatest risk first. */
  findings(filter?: FindingFilter): readonly Finding[];
  /** The scanner API's `vulnerability_report`, with the packages that findings call not reached as an enrichment: `application/vnd.plimsoll.reached+json`. */
  toJSON(): VulnerabilityReportJson;
}

/**
 * Creates a scan report from an indexed image and its vulnerabilities, for reports that were made elsewhere.
 * @example
 * declare const image: IndexedImage;
 * declare const vulnerabilities: VulnerabilityReport;
 * const worst = scanReport(image, vulnerabilities).findings()[0];
 */
export function scanReport(image: IndexedImage, vulnerabilities: VulnerabilityReport): ScanReport {
  const { report, ...about } = image;
  return {
    ...about,
    index: report,
    vulnerabilities,
    findings: (filter) => listFindings({ index: report, vulnerabilities, config: about.config }, filter),
    toJSON: () => withReached(toVulnerabilityReportJson(vulnerabilities), image),
  };
}

/** Packages that nothing in the image is known to need, and what the image starts: by their ids, as findings say it. */
const reachedEnrichment = "application/vnd.plimsoll.reached+json";

function withReached(json: VulnerabilityReportJson, { report, config }: IndexedImage): VulnerabilityReportJson {
  const reached = reachedPackages(report, dependencyGraph(report), config?.start);
  if (reached === undefined) return json;
  const found = {
    starts: reached.entries,
    no_evidence: Object.keys(json.packages).filter((id) => !reached.hasEvidence(id)),
  };
  return { ...json, enrichments: { ...json.enrichments, [reachedEnrichment]: [found] } };
}
