/**
 * The enrichment types under which reports carry facts about vulnerabilities. Clients know the first three by these names.
 */

/** One CVSS score a CVE id, as NVD writes it. */
export const cvssType =
  "message/vnd.clair.map.vulnerability; enricher=clair.cvss schema=https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema";

/** How likely an exploit is. */
export const epssType = "message/vnd.clair.map.vulnerability; enricher=clair.epss schema=none";

/** What is known to be exploited. */
export const kevType = "message/vnd.clair.map.vulnerability; enricher=clair.kev schema=none";

/** How severe each source says that a vulnerability is. */
export const ratingsType = "application/vnd.plimsoll.ratings+json";

/** What the CVE list says of each CVE id. */
export const cveType = "application/vnd.plimsoll.cve+json";
