import type { Advisory } from "../model/advisory.ts";
import type { Distribution } from "../model/distribution.ts";
import type { Json } from "../model/json-value.ts";
import type { PackageRepository } from "../model/package.ts";
import type { IndexRecord } from "./matcher.ts";
import type { Updater } from "./updater.ts";

/** A fact from a feed, stored under the tags that it is looked up by. */
export interface EnrichmentRecord {
  readonly tags: readonly string[];
  readonly record: Json;
}

/** Completes the repositories that packages come from, before packages are matched. */
export interface RepositoryEnricher {
  /** The tag to look up facts by; undefined for a repository that has no facts. */
  tagOf(repository: PackageRepository): string | undefined;
  /** The repository with the facts of the records added; several repositories if the records name several products. */
  complete(repository: PackageRepository, records: readonly EnrichmentRecord[]): readonly PackageRepository[];
}

/** The end of security fixes for a release of a product. */
export interface ReleaseEnd {
  /** The display name of the product. */
  readonly product: string;
  readonly release: string;
  /** The last day of fixes, `YYYY-MM-DD`. */
  readonly day: string;
}

/** Finds out how long distributions and packages get security fixes. */
export interface LifecycleEnricher {
  /** The tags to look up facts by. */
  distributionTags(release: Omit<Distribution, "id">): readonly string[];
  /** Undefined if the records do not say. */
  endOfDistribution(
    release: Omit<Distribution, "id">,
    repositories: readonly PackageRepository[],
    records: readonly EnrichmentRecord[],
  ): ReleaseEnd | undefined;
  /** The tags to look up facts by; none for a package that gets fixes as long as its distribution does. */
  packageTags(record: IndexRecord): readonly string[];
  /** Undefined if the records do not say. */
  endOfPackage(record: IndexRecord, records: readonly EnrichmentRecord[]): ReleaseEnd | undefined;
}

/** Adds facts to a report. */
export interface Enricher {
  readonly name: string;
  /** The key of the facts in the report. If several enrichers have the same type, their lists are concatenated. */
  readonly type: string;
  readonly updater: Updater<EnrichmentRecord>;
  /** The tags to look up facts by. */
  tags(advisory: Advisory): Iterable<string>;
  enrich(advisory: Advisory, records: readonly EnrichmentRecord[]): Json | undefined;
  /** Absent if the enricher has no facts about repositories. @internal */
  readonly repositories?: RepositoryEnricher;
  /** Absent if the enricher has no facts about the end of security fixes. @internal */
  readonly lifecycles?: LifecycleEnricher;
}
