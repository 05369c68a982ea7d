import { findEndOfLife } from "../distributions/shared/find.ts";
import type { Distribution } from "../model/distribution.ts";
import type { EndOfLife } from "../model/end-of-life.ts";
import type { Problem } from "../model/index-report.ts";
import type { PackageRepository } from "../model/package.ts";
import type { Enricher, LifecycleEnricher } from "../plugins/enricher.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { type EnricherGuard, guardEnrichers } from "./guard-enrichers.ts";
import { type RecordsOf, recordsByTag } from "./records-by-tag.ts";

/** The distributions and packages of a report that may have an end of life. */
export interface ListedReleases {
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  readonly records: readonly IndexRecord[];
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
  source: EnrichmentSource | undefined,
): Promise<EndsOfLife> {
  const guard = guardEnrichers();
  const known = await fetchLifecycles(enrichers, listed, { guard, source });
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
  for (const record of listed.records) {
    const packageId = record.package.id;
    if (byPackage.has(packageId)) continue;
    const end = first(known, ({ enricher, lifecycles, recordsOf }) =>
      guard.attempt(enricher, () => lifecycles.endOfPackage(record, recordsOf(lifecycles.packageTags(record)))),
    );
    if (end !== undefined) byPackage.set(packageId, { kind: "package", packageId, ...end });
  }
  return { ends: [...distributions, ...byPackage.values()], problems: guard.problems() };
}

/** The records of one enricher on the releases of a report. */
interface KnownLifecycles {
  readonly enricher: Enricher;
  readonly lifecycles: LifecycleEnricher;
  readonly recordsOf: RecordsOf;
}

/** Each enricher of lifecycles makes one query. */
async function fetchLifecycles(
  enrichers: readonly Enricher[],
  { distributions, records }: ListedReleases,
  { guard, source }: { readonly guard: EnricherGuard; readonly source: EnrichmentSource | undefined },
): Promise<readonly KnownLifecycles[]> {
  const known: KnownLifecycles[] = [];
  for (const enricher of enrichers) {
    const { name, lifecycles } = enricher;
    if (lifecycles === undefined || source === undefined) continue;
    const found = guard.attempt(enricher, () => [
      ...Object.values(distributions).flatMap((each) => lifecycles.distributionTags(each)),
      ...records.flatMap((record) => lifecycles.packageTags(record)),
    ]);
    const tags = [...new Set(found)].sort();
    if (tags.length === 0) continue;
    known.push({ enricher, lifecycles, recordsOf: recordsByTag(await source.findEnrichments(name, tags)) });
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
