import { atOnce } from "../model/at-once.ts";
import type { Problem } from "../model/index-report.ts";
import type { PackageRepository } from "../model/package.ts";
import type { Enricher } from "../plugins/enricher.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { guardEnrichers } from "./guard-enrichers.ts";
import { recordsByTag } from "./records-by-tag.ts";

/** Records in their order, and the enrichers that failed. */
export interface CompletedRecords {
  readonly records: readonly IndexRecord[];
  readonly problems: readonly Problem[];
}

/**
 * Completes the repositories of records with facts of enrichers. Each enricher of repositories makes one query. The records keep
 * their repositories when an enricher throws, which becomes a problem.
 */
export async function completeRepositories(
  enrichers: readonly Enricher[],
  records: readonly IndexRecord[],
  source: EnrichmentSource | undefined,
): Promise<CompletedRecords> {
  const guard = guardEnrichers();
  let completed = records;
  for (const enricher of enrichers) {
    const { name, repositories } = enricher;
    if (repositories === undefined || source === undefined) continue;
    const tagsOf = (record: IndexRecord) =>
      record.repositories.flatMap((each) => atOnce(repositories.tagOf(each), `tagOf of ${name}`) ?? []);
    const records = completed;
    const tags = guard.attempt(
      enricher,
      () => new Set(records.flatMap((record) => [record, ...(record.owners ?? [])].flatMap(tagsOf))),
    );
    if (tags === undefined || tags.size === 0) continue;
    const recordsOf = recordsByTag(await source.findEnrichments(name, [...tags].sort()));
    const complete = memoized((repository) => {
      const tag = repositories.tagOf(repository);
      return atOnce(
        repositories.complete(repository, tag === undefined ? [] : recordsOf([tag])),
        `complete of ${name}`,
      );
    });
    completed = guard.attempt(enricher, () => records.map(completer(complete))) ?? records;
  }
  return { records: completed, problems: guard.problems() };
}

/** Completes records and their owners. An owner of many records remains one object. */
function completer(complete: (repository: PackageRepository) => readonly PackageRepository[]) {
  const known = new Map<IndexRecord, IndexRecord>();
  return function completeRecord(record: IndexRecord): IndexRecord {
    const { owners } = record;
    const found = known.get(record) ?? {
      ...record,
      repositories: record.repositories.flatMap(complete),
      ...(owners && { owners: owners.map(completeRecord) }),
    };
    known.set(record, found);
    return found;
  };
}

/** Completes each repository once: an image has few, which all its packages share. Keyed by object, since ids may be empty. */
function memoized(complete: (repository: PackageRepository) => readonly PackageRepository[]) {
  const known = new Map<PackageRepository, readonly PackageRepository[]>();
  return (repository: PackageRepository): readonly PackageRepository[] => {
    const found = known.get(repository) ?? complete(repository);
    known.set(repository, found);
    return found;
  };
}
