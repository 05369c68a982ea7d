/** The index report with what was looked at, which a matcher of ours asks for. */
export const coveredIndexReportType = "application/vnd.plimsoll.covered_index_report.v1+json";

/** The vulnerability report with what was looked at, in every profile: for a registry of ours. */
export const coveredReportType = "application/vnd.plimsoll.covered_vulnerability_report.v1+json";

/** The short name of many reports, one a line; an array of them for those who ask for plain JSON. */
export const reportLines = "vulnerability_report_lines";

/**
 * The media types of the scanner API's bodies; `vendor` is the segment that names who runs it.
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
 * The trailer of what went wrong while a body was written: `Scanner-Error`.
 * @example
 * scannerErrorTrailer("acme"); // "Acme-Error"
 */
export function scannerErrorTrailer(vendor: string): string {
  return `${vendor.replace(/^./, (first) => first.toUpperCase())}-Error`;
}
