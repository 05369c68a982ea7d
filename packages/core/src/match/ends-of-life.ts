import { findEndOfLife } from "../distributions/shared/find.ts";
import type { Distribution } from "../model/distribution.ts";
import type { EndOfLife } from "../model/end-of-life.ts";
import type { PackageRepository } from "../model/package.ts";
import type { Enricher, EnrichmentRecord, LifecycleEnricher } from "../plugins/enricher.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { EnrichmentSource } from "./enrich.ts";

/** What a report lists that may have an end of life. */
export interface ListedReleases {
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly repositories: Readonly<Record<string, PackageRepository>>;
  readonly records: readonly IndexRecord[];
}

/**
 * The ends of life of distributions and packages, distributions first, each in the order of the report. Of a distribution that no
 * enricher speaks of, what the engine itself knows.
 */
export async function findEndsOfLife(
  enrichers: readonly Enricher[],
  listed: ListedReleases,
  source: EnrichmentSource | undefined,
): Promise<readonly EndOfLife[]> {
  const known = await lookUp(enrichers, listed, source);
  const repositories = Object.values(listed.repositories);
  const distributions = Object.values(listed.distributions).flatMap((distribution): EndOfLife[] => {
    const said = first(known, ({ lifecycles, recordsOf }) =>
      lifecycles.endOfDistribution(distribution, repositories, recordsOf(lifecycles.distributionTags(distribution))),
    );
    const day = said?.day ?? findEndOfLife(distribution, repositories);
    return day === undefined ? [] : [{ kind: "distribution", distributionId: distribution.id, day }];
  });
  const byPackage = new Map<string, EndOfLife>();
  for (const record of listed.records) {
    const packageId = record.package.id;
    if (byPackage.has(packageId)) continue;
    const said = first(known, ({ lifecycles, recordsOf }) =>
      lifecycles.endOfPackage(record, recordsOf(lifecycles.packageTags(record))),
    );
    if (said !== undefined) byPackage.set(packageId, { kind: "package", packageId, ...said });
  }
  return [...distributions, ...byPackage.values()];
}

/** What one enricher knows of the releases of a report. */
interface KnownLifecycles {
  readonly lifecycles: LifecycleEnricher;
  recordsOf(tags: readonly string[]): readonly EnrichmentRecord[];
}

/** One look-up for each enricher that knows any lifecycle. */
async function lookUp(
  enrichers: readonly Enricher[],
  { distributions, records }: ListedReleases,
  source: EnrichmentSource | undefined,
): Promise<readonly KnownLifecycles[]> {
  const known: KnownLifecycles[] = [];
  for (const { name, lifecycles } of enrichers) {
    if (lifecycles === undefined || source === undefined) continue;
    const tags = new Set([
      ...Object.values(distributions).flatMap((each) => lifecycles.distributionTags(each)),
      ...records.flatMap((record) => lifecycles.packageTags(record)),
    ]);
    if (tags.size === 0) continue;
    const found = await source.findEnrichments(name, [...tags].sort());
    const byTag = new Map(found.flatMap((record) => record.tags.map((tag) => [tag, record] as const)));
    known.push({ lifecycles, recordsOf: (asked) => [...new Set(asked.flatMap((tag) => byTag.get(tag) ?? []))] });
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
