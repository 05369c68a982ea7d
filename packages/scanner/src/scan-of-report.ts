import type { VulnerabilityReport } from "@plimsoll/core";
import type { IndexedImage } from "@plimsoll/indexer";
import { type ScanReport, scanReport } from "./scan-report.ts";

/**
 * Creates a scan report from an existing vulnerability report, such as one of a service or of an earlier scan.
 * @param image the other data of the image
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const json = JSON.parse(await readFile("report.json", "utf8"));
 * const earlier = scanOfReport({ source: "report.json", reference: "app:1" }, parseVulnerabilityReportJson(json));
 */
export function scanOfReport(image: Omit<IndexedImage, "report">, found: VulnerabilityReport): ScanReport {
  const { manifestDigest, packages, distributions, repositories, environments, coverage } = found;
  const inventory = { packages, distributions, repositories, environments };
  const report = { manifestDigest, state: "IndexFinished", success: true, ...inventory, coverage } as const;
  return scanReport({ ...image, report }, found);
}
