/**
 * The enrichment types, which are the keys of facts in reports. Clients depend on the first three names.
 */

/** The best CVSS score of each CVE id, in NVD's form. */
export const cvssType =
  "message/vnd.clair.map.vulnerability; enricher=clair.cvss schema=https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema";

/** The probability of an exploit. */
export const epssType = "message/vnd.clair.map.vulnerability; enricher=clair.epss schema=none";

/** Known exploited vulnerabilities. */
export const kevType = "message/vnd.clair.map.vulnerability; enricher=clair.kev schema=none";

/** The severities of a vulnerability, with their sources. */
export const ratingsType = "application/vnd.plimsoll.ratings+json";

/** The facts of the CVE list about each CVE id. */
export const cveType = "application/vnd.plimsoll.cve+json";
