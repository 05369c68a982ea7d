import { nvdRecordsUpdater } from "../../feeds/nvd/records-updater.ts";
import { cvssSeverity } from "../../model/cvss/score.ts";
import { parseCvss } from "../../model/cvss/vector.ts";
import type { Json } from "../../model/json-value.ts";
import { toRatingJson } from "../../model/rating.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { Updater } from "../../plugins/updater.ts";
import { cvssType, ratingsType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { bestMetrics, type NvdMetric, packMetrics, readNvdRecord, unpackMetrics } from "./cve-record.ts";

/** Reads the scores of the National Vulnerability Database. */
export const nvdUpdater: Updater<EnrichmentRecord> = nvdRecordsUpdater({
  name: "nvd",
  scope: { partBytes: {}, sharedBytes: 130e6 },
  revision: 1,
  read(place, readPart) {
    const { cve, metrics } = readNvdRecord(place, readPart);
    return { record: cve, items: metrics.length === 0 ? [] : [{ tags: [cve], record: packMetrics(metrics) }] };
  },
});

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

/** The members of `cvssData` that write out the metrics of a version 3 vector, by metric. */
const words: Readonly<Record<string, readonly [name: string, values: Readonly<Record<string, string>>]>> = {
  AV: ["attackVector", { N: "NETWORK", A: "ADJACENT_NETWORK", L: "LOCAL", P: "PHYSICAL" }],
  AC: ["attackComplexity", { L: "LOW", H: "HIGH" }],
  PR: ["privilegesRequired", { N: "NONE", L: "LOW", H: "HIGH" }],
  UI: ["userInteraction", { N: "NONE", R: "REQUIRED" }],
  S: ["scope", { U: "UNCHANGED", C: "CHANGED" }],
  C: ["confidentialityImpact", { H: "HIGH", L: "LOW", N: "NONE" }],
  I: ["integrityImpact", { H: "HIGH", L: "LOW", N: "NONE" }],
  A: ["availabilityImpact", { H: "HIGH", L: "LOW", N: "NONE" }],
};

/**
 * A score in the form of the database's `cvssData`, which clients expect. For versions 2 and 4 it has only the members that the schema
 * requires.
 * @see https://csrc.nist.gov/schema/nvd/api/2.0/external/cvss-v3.1.json
 */
function cvssData({ vector, score }: NvdMetric): Json {
  const { version, metrics } = parseCvss(vector);
  const data = { version, vectorString: vector, baseScore: score };
  if (version === "2.0") return data;
  const baseSeverity = score === 0 ? "NONE" : cvssSeverity(score, version).toUpperCase();
  if (version === "4.0") return { ...data, baseSeverity };
  const written = Object.entries(words).map(([metric, [name, values]]) => {
    return [name, values[metrics.get(metric) ?? ""] ?? ""];
  });
  return { ...data, baseSeverity, ...Object.fromEntries(written) };
}

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
