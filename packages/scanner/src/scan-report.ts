import {
  type ImageConfig,
  type IndexReport,
  type Platform,
  toVulnerabilityReportJson,
  type VulnerabilityReport,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import type { IndexedImage } from "@plimsoll/indexer";
import { type Finding, type FindingFilter, listFindings } from "./findings.ts";

/** The result of a scan of one image. */
export interface ScanReport {
  /** The source's name. */
  readonly source: string;
  /** The name the image goes by in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** What is in the image. */
  readonly index: IndexReport;
  /** What is wrong with it. */
  readonly vulnerabilities: VulnerabilityReport;
  /** The greatest risk first. */
  findings(filter?: FindingFilter): readonly Finding[];
  /** The scanner API's `vulnerability_report`. */
  toJSON(): VulnerabilityReportJson;
}

/**
 * Joins an indexed image and its vulnerabilities: for reports that were made elsewhere.
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
    findings: (filter) => listFindings(vulnerabilities, filter),
    toJSON: () => toVulnerabilityReportJson(vulnerabilities),
  };
}
