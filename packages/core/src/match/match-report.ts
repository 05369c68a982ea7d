import type { IndexReport } from "../model/index-report.ts";
import type { Enricher, Matcher } from "../plugins.ts";
import type { AdvisorySource } from "../ports.ts";
import { askedKeys } from "./asked-keys.ts";
import { buildReport } from "./build-report.ts";
import { type EnrichmentSource, type Enrichments, findFacts } from "./enrich.ts";
import { indexRecords } from "./index-records.ts";
import { matchRecords } from "./match-records.ts";
import type { VulnerabilityReport } from "./report.ts";

/** The parts of an engine that matching needs. */
export interface MatchingEngine {
  readonly matchers: readonly Matcher[];
  readonly enrichers: readonly Enricher[];
}

/** What a report is made with besides advisories. */
export interface MatchReportOptions {
  readonly signal?: AbortSignal;
  /** Without it reports carry no enrichments. */
  readonly enrichments?: EnrichmentSource;
}

/** Matches an image against the advisories of a source. Looks up, judges and builds; the source does all I/O. */
export async function matchReport(
  engine: MatchingEngine,
  indexReport: IndexReport,
  advisories: AdvisorySource,
  options: MatchReportOptions = {},
): Promise<VulnerabilityReport> {
  const records = indexRecords(indexReport);
  const asked = askedKeys(engine.matchers, records);
  const rules = await advisories.lookup(asked.keys);
  options.signal?.throwIfAborted();
  const matched = matchRecords(engine.matchers, records, rules);
  const ids = [...new Set(matched.affected.map(({ advisory }) => advisory.id))].sort();
  const details = await advisories.details(ids);
  options.signal?.throwIfAborted();
  const feeds = await advisories.coverage(asked.ecosystems);
  const { facts, problems } =
    options.enrichments === undefined ? noEnrichments : await findFacts(engine.enrichers, details, options.enrichments);
  return buildReport({ indexReport, matched, advisories: details, feeds, facts, problems });
}

const noEnrichments: Enrichments = { facts: new Map(), problems: [] };
