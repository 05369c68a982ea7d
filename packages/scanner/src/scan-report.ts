import type { IndexReport, VulnerabilityReport } from "@plimsoll/core";
import type { ImageConfig } from "@plimsoll/core/internal";
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
  /** The content of the image. */
  readonly index: IndexReport;
  /** The vulnerabilities of the image. */
  readonly vulnerabilities: VulnerabilityReport;
  /** Greatest risk first. */
  findings(filter?: FindingFilter): readonly Finding[];
  /** The scanner API's `vulnerability_report`. */
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
    toJSON: () => toVulnerabilityReportJson(vulnerabilities),
  };
}
