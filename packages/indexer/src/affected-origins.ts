import type { Distribution, PackageRepository } from "@plimsoll/core";
import type { Matcher } from "@plimsoll/core/plugins";
import type { AffectedBlock } from "./affected-block.ts";
import { ecosystemsOf, type NamedSummary } from "./judge-records.ts";
import { listBareReports, listRecords } from "./store/all-records.ts";
import { findManifests } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";

/** A summary without a package name: it is about all packages of a distribution, a repository or both. */
interface OriginSummary {
  readonly id: string;
  readonly distribution?: Distribution;
  /** The releases that the distribution may be, as advisories name them. */
  readonly releases: ReadonlySet<string>;
  readonly repository?: PackageRepository;
}

/** The distributions and repositories of an image's packages. */
interface FoundOrigin {
  readonly distributions: readonly Distribution[];
  readonly repositories: readonly PackageRepository[];
}

/** The matchers, which name releases, and the images to search. */
interface OriginOptions {
  readonly matchers: readonly Matcher[];
  readonly store: IndexerStore;
}

/**
 * Finds the images with packages from the distributions and repositories of summaries that name no package. A distribution matches that
 * of an image if advisories for both are found under the same release (`3.18` is `3.18.0` for Alpine), or if all of its stated
 * members are equal. All stated members of a repository must be equal. There is no version to compare.
 */
export async function* blocksByOrigin(
  { matchers, store }: OriginOptions,
  summaries: Iterable<NamedSummary>,
): AsyncGenerator<AffectedBlock> {
  const origins = [...summaries].flatMap((summary) => originOf(matchers, summary));
  if (origins.length === 0) return;
  const idsOf = idsFinder(matchers, origins);
  for await (const records of listRecords(store)) {
    const found = new Map(
      records.map(({ id, record: { distribution, repositories } }) => [
        id,
        idsOf({ distributions: distribution === undefined ? [] : [distribution], repositories }),
      ]),
    );
    const affected = [...found].flatMap(([id, ids]) => (ids.length > 0 ? [id] : []));
    for await (const { recordId, manifests } of findManifests(store, affected)) {
      yield { ids: found.get(recordId) ?? [], manifests };
    }
  }
  for await (const reports of listBareReports(store)) {
    for (const { manifestDigest, distributions, repositories } of reports) {
      const ids = idsOf({ distributions: Object.values(distributions), repositories: Object.values(repositories) });
      if (ids.length > 0) yield { ids, manifests: [manifestDigest] };
    }
  }
}

function originOf(matchers: readonly Matcher[], { id, statements, origin }: NamedSummary): readonly OriginSummary[] {
  if (statements.length > 0 || origin.kind !== "described") return [];
  const { distribution, repository } = origin;
  const releases = new Set(distribution && releasesOf(matchers, distribution, repository ? [repository] : []));
  return [{ id, releases, distribution, repository }];
}

/** The releases under which matchers find advisories, and the form in which reports describe a release: an ecosystem, split in two. */
function releasesOf(
  matchers: readonly Matcher[],
  distribution: Distribution,
  repositories: readonly PackageRepository[],
): readonly string[] {
  const { did = "", versionId, versionCodeName } = distribution;
  const version = versionId ?? versionCodeName;
  const own = version === undefined ? [] : [`${did}:${version}`];
  return [...own, ...ecosystemsOf(matchers, { distribution, repositories }, "")];
}

function idsFinder(matchers: readonly Matcher[], origins: readonly OriginSummary[]) {
  return ({ distributions, repositories }: FoundOrigin): readonly string[] => {
    const released = distributions.map((distribution) => ({
      distribution,
      releases: ecosystemsOf(matchers, { distribution, repositories }, ""),
    }));
    const found = origins.filter(
      ({ distribution: stated, releases, repository }) =>
        (stated === undefined ||
          released.some(
            (each) =>
              hasAll(each.distribution, stated) ||
              (each.releases.some((release) => releases.has(release)) && isSameMachine(each.distribution, stated)),
          )) &&
        (repository === undefined || repositories.some((each) => hasAll(each, repository))),
    );
    return found.map(({ id }) => id);
  };
}

/** Compares the architecture, which a release does not contain. */
function isSameMachine(found: Distribution, stated: Distribution): boolean {
  return stated.arch === undefined || stated.arch === found.arch;
}

/** Whether all stated members are equal. Ids are ignored, because they are valid only in one document. A summary that states nothing else matches nothing. */
function hasAll<Described extends Distribution | PackageRepository>(found: Described, stated: Described): boolean {
  const members = Object.entries(stated).filter(([name]) => name !== "id");
  return members.length > 0 && members.every(([name, value]) => found[name as keyof Described] === value);
}
