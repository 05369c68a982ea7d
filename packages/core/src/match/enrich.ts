import type { Advisory } from "../model/advisory.ts";
import { atOnce, sequenceOf } from "../model/at-once.ts";
import type { Problem } from "../model/index-report.ts";
import type { Json } from "../model/json-value.ts";
import type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";
import { guardEnrichers, type RecordsOf, recordsByTag } from "./guard-enrichers.ts";
import type { EnricherCoverage } from "./report.ts";

/** A store of the records of enrichers. */
export interface EnrichmentSource {
  /** The records of an enricher that have any of the tags, in a stable order. */
  findEnrichments(enricher: string, tags: readonly string[]): Promise<readonly EnrichmentRecord[]>;
  /**
   * When the data of enrichers were last checked, in epoch milliseconds, by enricher; an enricher without data is absent. Without this function
   * reports do not say which data were loaded.
   */
  enrichersCheckedAt?(enrichers: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The facts about advisories, by type and advisory id. */
export type Facts = ReadonlyMap<string, ReadonlyMap<string, Json>>;

/** Facts of enrichers, and the enrichers that failed. */
export interface Enrichments {
  readonly facts: Facts;
  readonly problems: readonly Problem[];
}

/** Collects the facts of every enricher about the advisories, with one query each. An enricher that throws becomes a problem; the others still run. */
export async function findFacts(
  enrichers: readonly Enricher[],
  advisories: readonly Advisory[],
  source: EnrichmentSource,
): Promise<Enrichments> {
  const facts = new Map<string, ReadonlyMap<string, Json>>();
  const guard = guardEnrichers();
  for (const enricher of enrichers) {
    const tagged = guard.attempt(enricher, () => tagAdvisories(enricher, advisories)) ?? [];
    const tags = [...new Set(tagged.flatMap((each) => each.tags))].sort();
    if (tags.length === 0) continue;
    const recordsOf = recordsByTag(await source.findEnrichments(enricher.name, tags)); // an error of the source is not the enricher's
    const found = guard.attempt(enricher, () => factsOf(enricher, tagged, recordsOf)) ?? [];
    if (found.length > 0) facts.set(enricher.type, joinFacts(facts.get(enricher.type), found));
  }
  return { facts, problems: guard.problems() };
}

/** Of each enricher, whether its data are loaded; undefined if the source does not know. */
export async function findEnricherCoverage(
  enrichers: readonly Enricher[],
  source: EnrichmentSource,
): Promise<readonly EnricherCoverage[] | undefined> {
  const checked = await source.enrichersCheckedAt?.(enrichers.map(({ name }) => name));
  return checked && enrichers.map(({ name, type }) => coverageOf({ enricher: name, type }, checked.get(name)));
}

function coverageOf(
  names: Pick<EnricherCoverage, "enricher" | "type">,
  checkedAt: number | undefined,
): EnricherCoverage {
  return checkedAt === undefined ? { ...names, loaded: false } : { ...names, loaded: true, checkedAt };
}

interface TaggedAdvisory {
  readonly advisory: Advisory;
  readonly tags: readonly string[];
}

function tagAdvisories(enricher: Enricher, advisories: readonly Advisory[]): readonly TaggedAdvisory[] {
  return advisories.map((advisory) => ({
    advisory,
    tags: [...sequenceOf(enricher.tags(advisory), `tags of ${enricher.name}`)],
  }));
}

type Fact = readonly [advisoryId: string, fact: Json];

function factsOf(enricher: Enricher, tagged: readonly TaggedAdvisory[], recordsOf: RecordsOf): readonly Fact[] {
  return tagged.flatMap(({ advisory, tags }) => factOf(enricher, advisory, recordsOf(tags)));
}

/** Joins the facts of several enrichers with one type: lists are concatenated. */
function joinFacts(known: ReadonlyMap<string, Json> = new Map(), found: readonly Fact[]): ReadonlyMap<string, Json> {
  const joined = new Map(known);
  for (const [id, fact] of found) {
    const before = joined.get(id);
    joined.set(id, Array.isArray(before) && Array.isArray(fact) ? [...before, ...fact] : fact);
  }
  return joined;
}

function factOf(enricher: Enricher, advisory: Advisory, records: readonly EnrichmentRecord[]): readonly Fact[] {
  const fact =
    records.length === 0 ? undefined : atOnce(enricher.enrich(advisory, records), `enrich of ${enricher.name}`);
  return fact === undefined ? [] : [[advisory.id, fact]];
}
