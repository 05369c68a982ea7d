/**
 * The Known Exploited Vulnerabilities Catalog of the agency CISA.
 *
 * ```
 * { catalogVersion: "2025.08.25", count, vulnerabilities: [{ cveID, vulnerabilityName, dateAdded, shortDescription,
 *     requiredAction, dueDate, knownRansomwareCampaignUse: "Known" | "Unknown", … }] }
 * ```
 *
 * @see https://www.cisa.gov/known-exploited-vulnerabilities-catalog
 */

import { malformedFeed, recordItems } from "../../feeds/shared/malformed-feed.ts";
import { findCve } from "../../match/vulnerability-names.ts";
import { itemsAt, type JsonPlace, memberAt, optionalStringAt, stringAt, unexpected } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { kevType } from "../enrichment-types.ts";
import { catalogUpdater } from "../shared/catalog-updater.ts";
import { cveTags } from "../shared/cve-tags.ts";

/** The members of an entry, by their names in the scanner API. */
const members = {
  vulnerability_name: "vulnerabilityName",
  date_added: "dateAdded",
  short_description: "shortDescription",
  required_action: "requiredAction",
  due_date: "dueDate",
  known_ransomware_campaign_use: "knownRansomwareCampaignUse",
} as const;

/**
 * Reads the records of a catalog. A malformed entry becomes a problem.
 * @throws ScanError `malformed_feed` for another document, and for a catalog whose `count` is not its number of entries
 */
function kevRecords(catalog: JsonPlace): readonly FeedItem<EnrichmentRecord>[] {
  const version = stringAt(memberAt(catalog, "catalogVersion"));
  const entries = itemsAt(memberAt(catalog, "vulnerabilities"));
  const count = memberAt(catalog, "count").value;
  if (typeof count === "number" && count !== entries.length)
    throw malformedFeed(catalog.document, `expected ${count} vulnerabilities, as it says, found ${entries.length}`);
  return entries.flatMap((entry) => recordItems(`${entry.document}: ${entry.path}`, () => [kevRecord(entry, version)]));
}

function kevRecord(entry: JsonPlace, version: string): EnrichmentRecord {
  const id = memberAt(entry, "cveID");
  const cve = findCve(stringAt(id));
  if (cve === undefined) throw unexpected(id, "a CVE id");
  const texts = Object.entries(members).map(([name, member]): [string, Json] => {
    return [name, optionalStringAt(memberAt(entry, member)) ?? ""];
  });
  return { tags: [cve], record: { cve, catalog_version: version, ...Object.fromEntries(texts) } };
}

const kevUpdater = catalogUpdater({
  name: "kev",
  location: "https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json",
  scope: { partBytes: {}, sharedBytes: 1.5e6 },
  revision: 1,
  maxBytes: 64 * 1024 ** 2, // it has one and a half million
  ofFolder: "newest",
  records: kevRecords,
});

/** Adds which vulnerabilities are known to be exploited, from the catalog of CISA. */
export const kevEnricher: Enricher = {
  name: "kev",
  type: kevType,
  updater: kevUpdater,
  tags: cveTags,
  enrich: (_, records) => records.map(({ record }) => record),
};
