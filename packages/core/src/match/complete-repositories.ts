import type { PackageRepository } from "../model/package.ts";
import type { Enricher, EnrichmentRecord } from "../plugins/enricher.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import type { EnrichmentSource } from "./enrich.ts";

/** The records with what enrichers know of the repositories that packages come from: one look-up for each enricher that knows any. */
export async function completeRepositories(
  enrichers: readonly Enricher[],
  records: readonly IndexRecord[],
  source: EnrichmentSource | undefined,
): Promise<readonly IndexRecord[]> {
  let completed = records;
  for (const { name, repositories } of enrichers) {
    if (repositories === undefined || source === undefined) continue;
    const tagsOf = (record: IndexRecord) => record.repositories.flatMap((each) => repositories.tagOf(each) ?? []);
    const tags = new Set(completed.flatMap((record) => [record, ...(record.owners ?? [])].flatMap(tagsOf)));
    if (tags.size === 0) continue;
    const found = await source.findEnrichments(name, [...tags].sort());
    const byTag = Map.groupBy(
      found.flatMap((record) => record.tags.map((tag) => ({ tag, record }))),
      ({ tag }) => tag,
    );
    const recordsOf = (repository: PackageRepository): readonly EnrichmentRecord[] =>
      (byTag.get(repositories.tagOf(repository) ?? "") ?? []).map(({ record }) => record);
    const complete = remembered((repository) => repositories.complete(repository, recordsOf(repository)));
    completed = completed.map(completer(complete));
  }
  return completed;
}

/** Completes records and their owners; an owner of many records stays one object. */
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

/** An image has few repositories, and each of its packages comes from all of them. Ids mean nothing across images, and may be empty. */
function remembered(complete: (repository: PackageRepository) => readonly PackageRepository[]) {
  const known = new Map<PackageRepository, readonly PackageRepository[]>();
  return (repository: PackageRepository): readonly PackageRepository[] => {
    const found = known.get(repository) ?? complete(repository);
    known.set(repository, found);
    return found;
  };
}
