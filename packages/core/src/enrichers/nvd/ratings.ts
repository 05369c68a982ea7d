import { cvssSeverity } from "../../model/cvss/score.ts";
import { parseCvss } from "../../model/cvss/vector.ts";
import type { Json } from "../../model/json-value.ts";
import { toRatingJson } from "../../model/rating.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import { ratingsType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { type NvdMetric, unpackMetrics } from "./cve-record.ts";
import { nvdUpdater } from "./updater.ts";

/** Adds the severities in the National Vulnerability Database: its own, and those of other organizations. */
export const ratingsEnricher: Enricher = {
  name: "ratings",
  type: ratingsType,
  updater: nvdUpdater,
  tags: cveTags,
  enrich: (_, records) => {
    const ratings = records.flatMap(ratingsOfRecord);
    return ratings.length === 0 ? undefined : ratings;
  },
};

function ratingsOfRecord({ tags: [name = ""], record }: EnrichmentRecord): readonly Json[] {
  return unpackMetrics(record).map((metric) => ratingJson(name, metric));
}

function ratingJson(name: string, { source, isPrimary, vector, score }: NvdMetric): Json {
  const severity = cvssSeverity(score, parseCvss(vector).version);
  return toRatingJson({ by: isPrimary ? "nvd" : "cna", source, name, severity, text: vector, score });
}
