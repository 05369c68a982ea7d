import type { Advisory } from "../model/advisory.ts";
import type { Problem } from "../model/index-report.ts";
import type { Json } from "../model/json-value.ts";
import type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";

/** Where the facts of enrichers are looked up. */
export interface EnrichmentSource {
  /** The records of an enricher that have any of the tags, in a stable order. */
  findEnrichments(enricher: string, tags: readonly string[]): Promise<readonly EnrichmentRecord[]>;
}

/** The facts about advisories, by type and advisory id. */
export type Facts = ReadonlyMap<string, ReadonlyMap<string, Json>>;

/** What enrichers add, and those of them that failed. */
export interface Enrichments {
  readonly facts: Facts;
  readonly problems: readonly Problem[];
}

/** Asks every enricher for facts about the advisories: one look-up each. One that throws is a problem, not the end. */
export async function findFacts(
  enrichers: readonly Enricher[],
  advisories: readonly Advisory[],
  source: EnrichmentSource,
): Promise<Enrichments> {
  const facts = new Map<string, ReadonlyMap<string, Json>>();
  const problems: Problem[] = [];
  for (const enricher of enrichers) {
    const tagged = advisories.map((advisory) => ({ advisory, tags: [...enricher.tags(advisory)] }));
    const tags = [...new Set(tagged.flatMap((each) => each.tags))].sort();
    if (tags.length === 0) continue;
    const records = groupByTag(await source.findEnrichments(enricher.name, tags));
    try {
      const found = tagged.flatMap(({ advisory, tags }) => factOf(enricher, advisory, recordsOf(records, tags)));
      if (found.length > 0) facts.set(enricher.type, joinFacts(facts.get(enricher.type), found));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ at: enricher.name, code: "enricher-failed", message });
    }
  }
  return { facts, problems };
}

/** What several enrichers say under one type: their lists one after the other. */
function joinFacts(
  known: ReadonlyMap<string, Json> = new Map(),
  found: readonly (readonly [string, Json])[],
): ReadonlyMap<string, Json> {
  const joined = new Map(known);
  for (const [id, fact] of found) {
    const before = joined.get(id);
    joined.set(id, Array.isArray(before) && Array.isArray(fact) ? [...before, ...fact] : fact);
  }
  return joined;
}

type RecordsByTag = ReadonlyMap<string, readonly EnrichmentRecord[]>;

function groupByTag(records: readonly EnrichmentRecord[]): RecordsByTag {
  const byTag = new Map<string, EnrichmentRecord[]>();
  for (const record of records) {
    for (const tag of record.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), record]);
  }
  return byTag;
}

function recordsOf(records: RecordsByTag, tags: readonly string[]): readonly EnrichmentRecord[] {
  return [...new Set(tags.flatMap((tag) => records.get(tag) ?? []))];
}

function factOf(
  enricher: Enricher,
  advisory: Advisory,
  records: readonly EnrichmentRecord[],
): readonly (readonly [string, Json])[] {
  const fact = records.length === 0 ? undefined : enricher.enrich(advisory, records);
  return fact === undefined ? [] : [[advisory.id, fact]];
}
