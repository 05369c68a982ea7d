import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import { atOnce } from "../model/at-once.ts";
import type { Problem } from "../model/index-report.ts";
import { distributionPackageKey, namePatternKey, type PackageRepository } from "../model/package.ts";
import type { Enricher } from "../plugins/enricher.ts";
import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { guardEnrichers, recordsByTag } from "./guard-enrichers.ts";
import { firstOfKeys } from "./lookup-keys.ts";
import { keysOfRecord } from "./match-records.ts";
import { ownerOf } from "./owners.ts";

/** Sources of facts that verdicts depend on besides a package and the advisories of its keys. */
export type MatchFacts = Pick<AdvisorySource, "coverage"> & Partial<Pick<EnrichmentSource, "findEnrichments">>;

/** The names in advisories, without which a package is undecided whose whole name is not known. Such a package has no findings in any case. */
type NameSource = Pick<AdvisorySource, "names">;

/**
 * Prepares records for matching, in the same order: completes repositories with facts of enrichers, removes owners whose distribution no
 * loaded feed covers, and adds the names in advisories that packages may have whose whole names are not known. An enricher that throws becomes a problem. Reports, explanations and the reverse index all use this function, so that they agree.
 * @example
 * declare const facts: MatchFacts & Pick<AdvisorySource, "names">;
 * declare const report: IndexReport;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const { records, problems } = await recordsToJudge(engine, indexRecords(report), facts);
 */
export async function recordsToJudge(
  { matchers, enrichers = [] }: { readonly matchers: readonly Matcher[]; readonly enrichers?: readonly Enricher[] },
  records: readonly IndexRecord[],
  facts: MatchFacts & NameSource,
): Promise<CompletedRecords> {
  const { records: completed, problems } = await completeRepositories(
    enrichers,
    records,
    hasEnrichments(facts) ? facts : undefined,
  );
  const ecosystems = [...new Set(completed.flatMap(ecosystemsOfOwner))].sort();
  const feeds = ecosystems.length === 0 ? [] : await facts.coverage(ecosystems);
  const covered = new Set(feeds.flatMap((feed) => (feed.covered ? [feed.ecosystem] : [])));
  const isCovered = (record: IndexRecord) => ecosystemsOfOwner(record).some((ecosystem) => covered.has(ecosystem));
  const judged = completed.map((record) => (isCovered(record) ? record : withoutOwner(record)));
  const named = await withPossibleNames(matchers, judged, facts);
  return { records: named.records, problems: [...problems, ...named.problems] };
}

const keysOf = advisoryKeys(allDistributions);

/** The ecosystems of advisories for the owner of a record's package; none where it has no owner, or no feed covers the owner. */
function ecosystemsOfOwner(record: IndexRecord): readonly string[] {
  const { distribution, repositories } = record;
  return distribution === undefined || ownerOf(record) === undefined ? [] : keysOf(distribution, repositories);
}

/**
 * The record without its owner; the same object where it has none. Used where no loaded feed covers the distribution: with an owner, no
 * advisory at all would judge the package, so advisories of the language are used.
 */
function withoutOwner(record: IndexRecord): IndexRecord {
  if (ownerOf(record) === undefined) return record;
  const { owners: _, distribution: __, ...rest } = record;
  return { ...rest, repositories: record.repositories.filter(({ key }) => key !== distributionPackageKey) };
}

/** Asks for all names of an ecosystem only if the image has a package whose name is not known. */
async function withPossibleNames(
  matchers: readonly Matcher[],
  records: readonly IndexRecord[],
  facts: NameSource,
): Promise<CompletedRecords> {
  let completed = records;
  const problems: Problem[] = [];
  for (const { name: matcher, possibleNames } of matchers) {
    const isPatterned = ({ repositories }: IndexRecord) => repositories.some(({ key }) => key === namePatternKey);
    if (possibleNames === undefined || !completed.some(isPatterned)) continue;
    const named = await facts.names(possibleNames.ecosystem);
    if (named === undefined) continue;
    const known = completed;
    try {
      const find = atOnce(possibleNames.among(named), "possibleNames", matcher);
      completed = known.map((record) => {
        const names = isPatterned(record) ? atOnce(find(record), "possibleNames", matcher) : undefined;
        return names === undefined ? record : { ...record, possibleNames: names };
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ at: possibleNames.ecosystem, code: "matcher_failed", message: `${matcher}: ${message}` });
    }
  }
  return { records: completed, problems };
}

function hasEnrichments(facts: MatchFacts): facts is MatchFacts & EnrichmentSource {
  return facts.findEnrichments !== undefined;
}

/**
 * The distinct keys of all advisories that can influence the verdicts on a record, whatever feeds are loaded: its own keys, its keys without
 * its owner, and those of its owners. The reverse index finds a record under each of them.
 * @example
 * declare const record: IndexRecord;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * for (const { ecosystem, name } of keysOfVerdicts(matchers, record)) console.log(ecosystem, name);
 */
export function keysOfVerdicts(matchers: readonly Matcher[], record: IndexRecord): readonly MatchKey[] {
  const { owners = [] } = record;
  const stripped = withoutOwner(record);
  const variants = stripped === record ? [record] : [record, stripped, ...owners];
  const keys = variants.flatMap((each) => matchers.flatMap((matcher) => keysOfRecord(matcher, each, [])));
  return keys.length < 2 ? keys : keys.filter(firstOfKeys());
}

/** Records in their order, and the enrichers that failed. */
interface CompletedRecords {
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
