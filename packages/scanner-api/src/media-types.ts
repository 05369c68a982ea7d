/** The index report with its coverage, which Plimsoll's matcher requests. */
export const coveredIndexReportType = "application/vnd.plimsoll.covered_index_report.v1+json";

/** The vulnerability report with its coverage, in every profile, which Plimsoll's registry requests. */
export const coveredReportType = "application/vnd.plimsoll.covered_vulnerability_report.v1+json";

/** The short name of a body with many reports, one per line; clients that accept plain JSON get an array. */
export const reportLines = "vulnerability_report_lines";

/**
 * The media types of the scanner API's bodies; `vendor` is the segment that names the operator.
 * @example
 * scannerMediaTypes("acme")("manifest"); // ["application/vnd.acme.manifest.v1+json", "application/json"]
 */
export function scannerMediaTypes(vendor: string): (type: string) => readonly string[] {
  return (type) => {
    const own = `application/vnd.${vendor}.${type}.v1+json`;
    if (type === "index_report") return [own, "application/json", coveredIndexReportType];
    if (type === "vulnerability_report") return [own, "application/json", coveredReportType];
    return type === reportLines ? ["application/x-ndjson", "application/json"] : [own, "application/json"];
  };
}

/**
 * The name of the trailer with the error that occurred while a body was written: `Scanner-Error`.
 * @example
 * scannerErrorTrailer("acme"); // "Acme-Error"
 */
export function scannerErrorTrailer(vendor: string): string {
  return `${vendor.replace(/^./, (first) => first.toUpperCase())}-Error`;
}
