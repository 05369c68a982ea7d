import { findEndOfLife } from "../distributions/shared/find.ts";
import { atOnce } from "../model/at-once.ts";
import type { Distribution } from "../model/distribution.ts";
import type { EndOfLife } from "../model/end-of-life.ts";
import type { Problem } from "../model/index-report.ts";
import type { PackageRepository } from "../model/package.ts";
import { slicesOf, type YieldToOthers } from "../model/slices.ts";
import type { Enricher, LifecycleEnricher } from "../plugins/enricher.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { type EnricherGuard, guardEnrichers, type RecordsOf, recordsByTag } from "./guard-enrichers.ts";

/** The distributions and packages of a report that may have an end of life. */
export interface ListedReleases {
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  readonly records: readonly IndexRecord[];
}

/** Where lifecycles are read, and how others get their turns. */
export interface LifecycleSource {
  /** Absent: only the engine's own table is used. */
  readonly source?: EnrichmentSource | undefined;
  /** Called between slices of the packages. */
  readonly yieldToOthers?: YieldToOthers | undefined;
}

/** Ends of life, and the enrichers that failed. */
export interface EndsOfLife {
  readonly ends: readonly EndOfLife[];
  readonly problems: readonly Problem[];
}

/**
 * The ends of life of distributions and packages, distributions first, each in the order of the report. The engine's own table is
 * used for a distribution that no enricher knows. An enricher that throws becomes a problem.
 */
export async function findEndsOfLife(
  enrichers: readonly Enricher[],
  listed: ListedReleases,
  { source, yieldToOthers = () => {} }: LifecycleSource = {},
): Promise<EndsOfLife> {
  const guard = guardEnrichers();
  const known = await fetchLifecycles(enrichers, listed, { guard, source, yieldToOthers });
  const repositories = Object.values(listed.repositories);
  const distributions = Object.values(listed.distributions).flatMap((distribution): EndOfLife[] => {
    const end = first(known, ({ enricher, lifecycles, recordsOf }) =>
      guard.attempt(enricher, () =>
        lifecycles.endOfDistribution(distribution, repositories, recordsOf(lifecycles.distributionTags(distribution))),
      ),
    );
    const day = end?.day ?? findEndOfLife(distribution, repositories);
    return day === undefined ? [] : [{ kind: "distribution", distributionId: distribution.id, day }];
  });
  const byPackage = new Map<string, EndOfLife>();
  for (const some of slicesOf(listed.records)) {
    for (const record of some) {
      const packageId = record.package.id;
      if (byPackage.has(packageId)) continue;
      const end = first(known, ({ enricher, lifecycles, recordsOf, tagsOf }) =>
        guard.attempt(enricher, () => lifecycles.endOfPackage(record, recordsOf(tagsOf.get(record) ?? []))),
      );
      if (end !== undefined) byPackage.set(packageId, { kind: "package", packageId, ...end });
    }
    await yieldToOthers();
  }
  return { ends: [...distributions, ...byPackage.values()], problems: guard.problems() };
}

/** The records of one enricher on the releases of a report. */
interface KnownLifecycles {
  readonly enricher: Enricher;
  readonly lifecycles: LifecycleEnricher;
  readonly recordsOf: RecordsOf;
  /** The tags of each package. */
  readonly tagsOf: ReadonlyMap<IndexRecord, readonly string[]>;
}

/** Each enricher of lifecycles makes one query. */
async function fetchLifecycles(
  enrichers: readonly Enricher[],
  { distributions, records }: ListedReleases,
  { guard, source, yieldToOthers = () => {} }: LifecycleSource & { readonly guard: EnricherGuard },
): Promise<readonly KnownLifecycles[]> {
  const known: KnownLifecycles[] = [];
  for (const enricher of enrichers) {
    const { name, lifecycles } = enricher;
    if (lifecycles === undefined || source === undefined) continue;
    const ofDistributions = guard.attempt(enricher, () =>
      Object.values(distributions).flatMap((each) => atOnce(lifecycles.distributionTags(each), `tags of ${name}`)),
    );
    const tagsOf = new Map<IndexRecord, readonly string[]>();
    for (const some of slicesOf(ofDistributions === undefined ? [] : records)) {
      const isKnown = guard.attempt(enricher, () => {
        for (const record of some) tagsOf.set(record, atOnce(lifecycles.packageTags(record), `tags of ${name}`));
        return true;
      });
      if (isKnown === undefined) break;
      await yieldToOthers();
    }
    const tags = [...new Set([...(ofDistributions ?? []), ...[...tagsOf.values()].flat()])].sort();
    if (tags.length === 0) continue;
    known.push({ enricher, lifecycles, tagsOf, recordsOf: recordsByTag(await source.findEnrichments(name, tags)) });
  }
  return known;
}

function first<T, Found>(elements: readonly T[], find: (element: T) => Found | undefined): Found | undefined {
  for (const element of elements) {
    const found = find(element);
    if (found !== undefined) return found;
  }
  return undefined;
}
