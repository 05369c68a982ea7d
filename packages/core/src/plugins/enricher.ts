import type { Advisory } from "../model/advisory.ts";
import type { Distribution } from "../model/distribution.ts";
import type { Json } from "../model/json-value.ts";
import type { PackageRepository } from "../model/package.ts";
import type { IndexRecord } from "./matcher.ts";
import type { Updater } from "./updater.ts";

/** A fact about a vulnerability, kept under the names it is looked up by. */
export interface EnrichmentRecord {
  readonly tags: readonly string[];
  readonly record: Json;
}

/** What an enricher knows of the repositories that packages come from; used before packages are matched. */
export interface RepositoryEnricher {
  /** The name to look facts up by; undefined for a repository that it knows nothing of. */
  tagOf(repository: PackageRepository): string | undefined;
  /** The repository with what the records say; several where it has several products. */
  complete(repository: PackageRepository, records: readonly EnrichmentRecord[]): readonly PackageRepository[];
}

/** When a release of a product gets no security fixes any more. */
export interface ReleaseEnd {
  /** The name of the product for people. */
  readonly product: string;
  readonly release: string;
  /** The last day of fixes, `YYYY-MM-DD`. */
  readonly day: string;
}

/** What an enricher knows of how long releases get security fixes. */
export interface LifecycleEnricher {
  /** The names to look facts up by. */
  distributionTags(release: Omit<Distribution, "id">): readonly string[];
  endOfDistribution(
    release: Omit<Distribution, "id">,
    repositories: readonly PackageRepository[],
    records: readonly EnrichmentRecord[],
  ): ReleaseEnd | undefined;
  /** The names to look facts up by; none for a package that gets fixes as long as its distribution does. */
  packageTags(record: IndexRecord): readonly string[];
  endOfPackage(record: IndexRecord, records: readonly EnrichmentRecord[]): ReleaseEnd | undefined;
}

/** Adds facts to a report. */
export interface Enricher {
  readonly name: string;
  /** The key under which the report carries the facts. Where several enrichers have one, the lists that they answer with are joined. */
  readonly type: string;
  readonly updater: Updater<EnrichmentRecord>;
  /** The names to look facts up by. */
  tags(advisory: Advisory): Iterable<string>;
  enrich(advisory: Advisory, records: readonly EnrichmentRecord[]): Json | undefined;
  /** Absent where it knows nothing of repositories. */
  readonly repositories?: RepositoryEnricher;
  /** Absent where it knows nothing of how long releases get fixes. */
  readonly lifecycles?: LifecycleEnricher;
}
