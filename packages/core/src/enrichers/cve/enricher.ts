import { cvssSeverity } from "../../model/cvss/score.ts";
import { parseCvss } from "../../model/cvss/vector.ts";
import type { Json } from "../../model/json-value.ts";
import { toRatingJson } from "../../model/rating.ts";
import type { Enricher } from "../../plugins/enricher.ts";
import { cveType, ratingsType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { cveUpdater, unpackCveRecord } from "./updater.ts";

/** Adds the facts of the CVE list about each CVE id: its state, its weaknesses, its references. */
export const cveEnricher: Enricher = {
  name: "cve",
  type: cveType,
  updater: cveUpdater,
  tags: cveTags,
  enrich: (_, records) => records.map(({ record }) => unpackCveRecord(record).facts as unknown as Json),
};

/** Adds the severities from the publishers of a CVE record: the organization that assigned the id, and others that add to the record. */
export const cveRatingsEnricher: Enricher = {
  name: "cve-ratings",
  type: ratingsType,
  updater: cveUpdater,
  tags: cveTags,
  enrich: (_, records) => {
    const ratings = records.flatMap(({ record }) => {
      const { facts, scores } = unpackCveRecord(record);
      return scores.map(({ by, source, vector, score }) => {
        const severity = cvssSeverity(score, parseCvss(vector).version);
        return toRatingJson({ by, source, name: facts.cve, severity, text: vector, score });
      });
    });
    return ratings.length === 0 ? undefined : ratings;
  },
};
