import { type DeclareOperation, type DocumentOperation, type DocumentTypes, operationsFor } from "@plimsoll/http";

/**
 * Returns the function that declares operations of a scanner service.
 * @typeParam Context the context that their handlers get
 * @example
 * interface Parts {
 *   readonly name: string;
 * }
 * const operation = scannerOperation<Parts>();
 */
export function scannerOperation<Context>(): DeclareOperation<DocumentTypes<Context>> {
  return operationsFor<DocumentTypes<Context>>();
}

/** An operation of a scanner service, not bound to its context yet. */
export type ScannerOperation = DocumentOperation;

/** The index report with its coverage, which Plimsoll's matcher requests. */
export const coveredIndexReportType = "application/vnd.plimsoll.covered_index_report.v1+json";

/** The index report with what records of packages say besides (licences, makers, dependencies), which Plimsoll's registry requests. */
export const describedIndexReportType = "application/vnd.plimsoll.described_index_report.v1+json";

/** The vulnerability report with its coverage, in every profile, which Plimsoll's registry requests. */
export const coveredReportType = "application/vnd.plimsoll.covered_vulnerability_report.v1+json";

/** The difference of two update operations with the related advisories and their exact rules, which Plimsoll's notifier requests. */
export const relatedDiffType = "application/vnd.plimsoll.related_update_diff.v1+json";

/** Whole advisories with their exact rules, which Plimsoll's notifier sends to find affected images. */
export const ruledVulnerabilitiesType = "application/vnd.plimsoll.ruled_vulnerabilities.v1+json";

/** The short name of a body with many reports, one per line; clients that accept plain JSON get an array. */
export const reportLines = "vulnerability_report_lines";

/**
 * The media types of the scanner API's bodies; `vendor` is the segment that names the operator.
 * @example
 * scannerMediaTypes("acme")("manifest"); // ["application/vnd.acme.manifest.v1+json", "application/json"]
 */
export function scannerMediaTypes(vendor: string): (type: string) => readonly string[] {
  return (type) => {
    if (type === reportLines) return ["application/x-ndjson", "application/json"];
    return [`application/vnd.${vendor}.${type}.v1+json`, "application/json", ...(moreTypes.get(type) ?? [])];
  };
}

/** Documents that Plimsoll's services exchange with more members than the contract has. */
const moreTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ["index_report", [coveredIndexReportType, describedIndexReportType]],
  ["vulnerability_report", [coveredReportType]],
  ["update_diff", [relatedDiffType]],
  ["vulnerability_summaries", [ruledVulnerabilitiesType]],
]);

/**
 * The name of the header that says whether everything in an image was judged, where a report does not: `Scanner-Coverage`.
 * @example
 * scannerCoverageHeader("acme"); // "Acme-Coverage"
 */
export function scannerCoverageHeader(vendor: string): string {
  return `${capitalized(vendor)}-Coverage`;
}

/**
 * The name of the trailer with the error that occurred while a body was written: `Scanner-Error`.
 * @example
 * scannerErrorTrailer("acme"); // "Acme-Error"
 */
export function scannerErrorTrailer(vendor: string): string {
  return `${capitalized(vendor)}-Error`;
}

function capitalized(vendor: string): string {
  return vendor.replace(/^./, (first) => first.toUpperCase());
}
