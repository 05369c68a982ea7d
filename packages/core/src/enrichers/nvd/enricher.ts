import type { Enricher } from "../../plugins/enricher.ts";
import { cvssType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { bestMetrics } from "./best-metrics.ts";
import { unpackMetrics } from "./cve-record.ts";
import { cvssData } from "./cvss-data.ts";
import { nvdUpdater } from "./updater.ts";

/** Adds the CVSS score of each CVE id: the best one in the National Vulnerability Database. */
export const cvssEnricher: Enricher = {
  name: "cvss",
  type: cvssType,
  updater: nvdUpdater,
  tags: cveTags,
  enrich: (_, records) => {
    const found = records.flatMap(({ record }) => bestMetrics(unpackMetrics(record)).slice(0, 1).map(cvssData));
    return found.length === 0 ? undefined : found;
  },
};
