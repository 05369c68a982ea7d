import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import { distributionPackageKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins/matcher.ts";

const keysOf = advisoryKeys(allDistributions);

/** The package of the distribution that owns the files of a record's package; undefined for one that none owns. */
export function ownerOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}

/** The ecosystems whose advisories speak of the owner of a record's package: none where there is no owner, or no feed could speak of it. */
export function ecosystemsOfOwner(record: IndexRecord): readonly string[] {
  const { distribution, repositories } = record;
  return distribution === undefined || ownerOf(record) === undefined ? [] : keysOf(distribution, repositories);
}

/**
 * The record as though no package of the distribution owned its files; the same object where none does. Where no loaded feed speaks of the
 * distribution, what is left to its advisories would be judged by none: the advisories of languages judge the package then.
 */
export function withoutOwner(record: IndexRecord): IndexRecord {
  if (ownerOf(record) === undefined) return record;
  const { owners: _, distribution: __, ...rest } = record;
  return { ...rest, repositories: record.repositories.filter(({ key }) => key !== distributionPackageKey) };
}
