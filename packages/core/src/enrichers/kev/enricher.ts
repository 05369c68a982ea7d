import type { Enricher } from "../../plugins/enricher.ts";
import { kevType } from "../enrichment-types.ts";
import { catalogUpdater } from "../shared/catalog-updater.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { kevRecords } from "./catalog.ts";

const kevUpdater = catalogUpdater({
  name: "kev",
  location: "https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json",
  scope: { partBytes: {}, sharedBytes: 1.5e6 },
  revision: 1,
  maxBytes: 64 * 1024 ** 2, // it has one and a half million
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
