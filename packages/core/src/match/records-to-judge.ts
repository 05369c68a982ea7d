import type { Enricher } from "../plugins/enricher.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";
import { type CompletedRecords, completeRepositories } from "./complete-repositories.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { firstOfKeys } from "./first-of-keys.ts";
import { keysOfRecord } from "./match-records.ts";
import { ecosystemsOfOwner, withoutOwner } from "./owners.ts";

/** Sources of facts that verdicts depend on besides a package and the advisories of its keys. */
export type MatchFacts = Pick<AdvisorySource, "coverage"> & Partial<Pick<EnrichmentSource, "findEnrichments">>;

/**
 * Prepares records for matching, in the same order: completes repositories with facts of enrichers, and removes owners whose distribution no
 * loaded feed covers. An enricher that throws becomes a problem. Reports, explanations and the reverse index all use this function, so that they agree.
 * @example
 * declare const facts: MatchFacts;
 * declare const report: IndexReport;
 * const { records, problems } = await recordsToJudge(allEnrichers, indexRecords(report), facts);
 */
export async function recordsToJudge(
  enrichers: readonly Enricher[],
  records: readonly IndexRecord[],
  facts: MatchFacts,
): Promise<CompletedRecords> {
  const { records: completed, problems } = await completeRepositories(
    enrichers,
    records,
    hasEnrichments(facts) ? facts : undefined,
  );
  const ecosystems = [...new Set(completed.flatMap(ecosystemsOfOwner))].sort();
  const feeds = ecosystems.length === 0 ? [] : await facts.coverage(ecosystems);
  const covered = new Set(feeds.flatMap((feed) => (feed.covered ? [feed.ecosystem] : [])));
  const isCovered = (record: IndexRecord) => ecosystemsOfOwner(record).some((ecosystem) => covered.has(ecosystem));
  return { records: completed.map((record) => (isCovered(record) ? record : withoutOwner(record))), problems };
}

function hasEnrichments(facts: MatchFacts): facts is MatchFacts & EnrichmentSource {
  return facts.findEnrichments !== undefined;
}

/**
 * The distinct keys of all advisories that can influence the verdicts on a record, whatever feeds are loaded: its own keys, its keys without
 * its owner, and those of its owners. The reverse index finds a record under each of them.
 * @example
 * declare const record: IndexRecord;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * for (const { ecosystem, name } of keysOfVerdicts(matchers, record)) console.log(ecosystem, name);
 */
export function keysOfVerdicts(matchers: readonly Matcher[], record: IndexRecord): readonly MatchKey[] {
  const { owners = [] } = record;
  const stripped = withoutOwner(record);
  const variants = stripped === record ? [record] : [record, stripped, ...owners];
  const keys = variants.flatMap((each) => matchers.flatMap((matcher) => keysOfRecord(matcher, each, [])));
  return keys.length < 2 ? keys : keys.filter(firstOfKeys());
}
