import type { Enricher } from "../plugins/enricher.ts";
import { cveEnricher, cveRatingsEnricher } from "./cve/enricher.ts";
import { eolEnricher } from "./eol/enricher.ts";
import { epssEnricher } from "./epss/enricher.ts";
import { kevEnricher } from "./kev/enricher.ts";
import { cvssEnricher, ratingsEnricher } from "./nvd/enricher.ts";
import { redhatRepositories } from "./redhat-repositories/enricher.ts";

/** All enrichers of the engine. */
export const allEnrichers: readonly Enricher[] = [
  cveEnricher,
  cvssEnricher,
  eolEnricher,
  epssEnricher,
  kevEnricher,
  ratingsEnricher,
  cveRatingsEnricher,
  redhatRepositories,
];
