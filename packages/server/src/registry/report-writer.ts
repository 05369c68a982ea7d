import { type Json, parseVulnerabilityReportJson } from "@plimsoll/core";
import type { ReportFormat, ReportWriter } from "@plimsoll/registry-api";
import { type ScanReport, scanOfReport } from "@plimsoll/scanner";
import { type DocumentStamp, toCsv, toCycloneDx, toSarif, toSpdx } from "@plimsoll/scanner/formats";
import { productVersion } from "../cli/product-version.ts";

const json = (document: object) => JSON.stringify(document, undefined, 2);

const writers: Readonly<Record<ReportFormat, (scan: ScanReport, stamp: DocumentStamp) => string>> = {
  sarif: (scan, stamp) => json(toSarif(scan, stamp)),
  cyclonedx: (scan, stamp) => json(toCycloneDx(scan, stamp)),
  spdx: (scan, stamp) => json(toSpdx(scan, stamp)),
  csv: toCsv,
};

/** Writes the registry's reports in the formats of the commands. */
export const reportWriter: ReportWriter = {
  write({ report, reference, format, createdAt }) {
    const found = parseVulnerabilityReportJson(report as unknown as Json);
    const scan = scanOfReport({ source: "registry", reference }, found);
    return writers[format](scan, { toolVersion: productVersion, createdAt });
  },
};
