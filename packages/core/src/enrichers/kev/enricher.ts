import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { Updater } from "../../plugins/updater.ts";
import { kevType } from "../enrichment-types.ts";
import { catalogUpdate } from "../shared/catalog-update.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { kevRecords } from "./catalog.ts";

/** Increased when the same catalog would give other records. */
const revision = 1;

/** The largest catalog that is read, in bytes; it has one and a half million. */
const maxBytes = 64 * 1024 ** 2;

const kevUpdater: Updater<EnrichmentRecord> = {
  name: "kev",
  location: "https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json",
  scope: { partBytes: {}, sharedBytes: 1.5e6 },
  update: catalogUpdate({ revision, maxBytes, records: kevRecords }),
};

/** Adds which vulnerabilities are known to be exploited, from the catalog of CISA. */
export const kevEnricher: Enricher = {
  name: "kev",
  type: kevType,
  updater: kevUpdater,
  tags: cveTags,
  enrich: (_, records) => records.map(({ record }) => record),
};
