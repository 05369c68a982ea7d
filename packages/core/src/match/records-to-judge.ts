import type { Enricher } from "../plugins/enricher.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";
import { completeRepositories } from "./complete-repositories.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { firstOfKeys } from "./first-of-keys.ts";
import { keysOfRecord } from "./match-records.ts";
import { ecosystemsOfOwner, withoutOwner } from "./owners.ts";

/** What verdicts depend on besides a package and the advisories of its keys. */
export type MatchFacts = Pick<AdvisorySource, "coverage"> & Partial<EnrichmentSource>;

/**
 * The records as they are judged, in the same order: with what enrichers know of their repositories, and without owners whose distribution no
 * loaded feed speaks of. Reports, explanations and the reverse index all judge what this gives, so that they agree.
 * @example
 * declare const facts: MatchFacts;
 * declare const report: IndexReport;
 * const records = await recordsToJudge(allEnrichers, indexRecords(report), facts);
 */
export async function recordsToJudge(
  enrichers: readonly Enricher[],
  records: readonly IndexRecord[],
  facts: MatchFacts,
): Promise<readonly IndexRecord[]> {
  const completed = await completeRepositories(enrichers, records, hasEnrichments(facts) ? facts : undefined);
  const ecosystems = [...new Set(completed.flatMap(ecosystemsOfOwner))].sort();
  const feeds = ecosystems.length === 0 ? [] : await facts.coverage(ecosystems);
  const covered = new Set(feeds.flatMap((feed) => (feed.covered ? [feed.ecosystem] : [])));
  const isCovered = (record: IndexRecord) => ecosystemsOfOwner(record).some((ecosystem) => covered.has(ecosystem));
  return completed.map((record) => (isCovered(record) ? record : withoutOwner(record)));
}

function hasEnrichments(facts: MatchFacts): facts is MatchFacts & EnrichmentSource {
  return facts.findEnrichments !== undefined;
}

/**
 * The keys of all advisories that can have a say in the verdicts on a record, each once, whatever feeds are loaded: its own, those that it has without
 * its owner, and those of its owner. The reverse index finds a record under each of them.
 * @example
 * declare const record: IndexRecord;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * for (const { ecosystem, name } of keysOfVerdicts(matchers, record)) console.log(ecosystem, name);
 */
export function keysOfVerdicts(matchers: readonly Matcher[], record: IndexRecord): readonly MatchKey[] {
  const { owners = [] } = record;
  const stripped = withoutOwner(record);
  const looked = stripped === record ? [record] : [record, stripped, ...owners];
  const keys = looked.flatMap((each) => matchers.flatMap((matcher) => keysOfRecord(matcher, each, [])));
  return keys.length < 2 ? keys : keys.filter(firstOfKeys());
}
