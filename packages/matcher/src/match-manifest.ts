import { type IndexReport, matchReport, type VulnerabilityReport } from "@plimsoll/core";
import type { EnrichmentSource, MatchFacts, MatchingEngine } from "@plimsoll/core/internal";
import { cooperativeYield } from "@plimsoll/store";
import { type AdvisoriesOptions, advisoriesOf } from "./store/advisories.ts";
import { findCheckedAt, findEnrichments } from "./store/enrichments.ts";
import type { MatcherStore } from "./store/tables.ts";

/** Options of `matchManifest`. */
export interface MatchManifestOptions extends AdvisoriesOptions {
  readonly engine: MatchingEngine;
  readonly store: MatcherStore;
  readonly signal?: AbortSignal;
}

/**
 * Matches an indexed image with the advisories and enrichments of the store.
 * @example
 * declare const store: MatcherStore;
 * declare const indexReport: IndexReport;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const report = await matchManifest(indexReport, { engine, store });
 */
export function matchManifest(indexReport: IndexReport, options: MatchManifestOptions): Promise<VulnerabilityReport> {
  const { engine, store, signal, ...state } = options;
  return matchReport(engine, indexReport, {
    advisories: advisoriesOf(store, state),
    signal,
    yieldToOthers: cooperativeYield(),
    enrichments: enrichmentsOf(store, engine),
  });
}

/**
 * The current facts that reports use besides advisories: feed coverage and enrichments. With them, an index service finds the same affected
 * images as reports.
 * @example
 * declare const store: MatcherStore;
 * declare const images: IndexerStore;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * await using indexer = createIndexService({ store: images, engine, facts: factsOf(store, engine) });
 */
export function factsOf(store: MatcherStore, engine: Pick<MatchingEngine, "enrichers">): Required<MatchFacts> {
  return { coverage: advisoriesOf(store).coverage, ...enrichmentsOf(store, engine) };
}

/**
 * The source of enrichments of a store for the enrichers of an engine, now or at an earlier time.
 * @example
 * declare const store: MatcherStore;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const { findEnrichments } = enrichmentsOf(store, engine);
 * console.log(await findEnrichments("kev", ["CVE-2023-4863"]));
 */
export function enrichmentsOf(
  store: MatcherStore,
  { enrichers }: Pick<MatchingEngine, "enrichers">,
  { asOf }: AdvisoriesOptions = {},
): EnrichmentSource {
  const updaters = new Map(enrichers.map(({ name, updater }) => [name, updater.name]));
  const updaterOf = (enricher: string) => updaters.get(enricher) ?? enricher;
  return {
    findEnrichments: (enricher, tags) => findEnrichments(store, updaterOf(enricher), { tags, asOf }),
    async enrichersCheckedAt(names) {
      const checkedAt = await findCheckedAt(store, names.map(updaterOf));
      return new Map(
        names.flatMap((name) => {
          const at = checkedAt.get(updaterOf(name));
          return at === undefined ? [] : [[name, at] as const];
        }),
      );
    },
  };
}
