import type { Distribution, PackageRepository } from "@plimsoll/core";
import type { AffectedBlock } from "./affected-manifests.ts";
import type { NamedSummary } from "./judge-records.ts";
import { listBareReports, listRecords } from "./store/all-records.ts";
import { findManifests } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";

/** A summary that names no package: it speaks of all that comes from a distribution, a repository or both. */
interface OriginSummary {
  readonly id: string;
  readonly distribution?: Distribution;
  readonly repository?: PackageRepository;
}

/**
 * The images that have what comes from the distributions and repositories that summaries without a package name. Each member
 * that a summary states must be the same in the image; without a package there is no version to compare.
 */
export async function* blocksByOrigin(
  store: IndexerStore,
  summaries: Iterable<NamedSummary>,
): AsyncGenerator<AffectedBlock> {
  const origins = [...summaries].flatMap(originOf);
  if (origins.length === 0) return;
  for await (const records of listRecords(store)) {
    const found = new Map(
      records.map(({ id, record: { distribution, repositories } }) => [
        id,
        idsOf(origins, distribution === undefined ? [] : [distribution], repositories),
      ]),
    );
    const affected = [...found].flatMap(([id, ids]) => (ids.length > 0 ? [id] : []));
    for await (const { recordId, manifests } of findManifests(store, affected)) {
      yield { ids: found.get(recordId) ?? [], manifests };
    }
  }
  for await (const reports of listBareReports(store)) {
    for (const { manifestDigest, distributions, repositories } of reports) {
      const ids = idsOf(origins, Object.values(distributions), Object.values(repositories));
      if (ids.length > 0) yield { ids, manifests: [manifestDigest] };
    }
  }
}

function originOf({ id, statements, origin }: NamedSummary): readonly OriginSummary[] {
  if (statements.length > 0 || origin.kind !== "described") return [];
  const { distribution, repository } = origin;
  return [{ id, ...(distribution && { distribution }), ...(repository && { repository }) }];
}

function idsOf(
  origins: readonly OriginSummary[],
  distributions: readonly Distribution[],
  repositories: readonly PackageRepository[],
): readonly string[] {
  const found = origins.filter(
    ({ distribution, repository }) =>
      (distribution === undefined || distributions.some((each) => hasAll(each, distribution))) &&
      (repository === undefined || repositories.some((each) => hasAll(each, repository))),
  );
  return found.map(({ id }) => id);
}

/** Ids mean something only in one document. A summary that states nothing else means nothing. */
function hasAll<Described extends Distribution | PackageRepository>(found: Described, stated: Described): boolean {
  const members = Object.entries(stated).filter(([name]) => name !== "id");
  return members.length > 0 && members.every(([name, value]) => found[name as keyof Described] === value);
}
