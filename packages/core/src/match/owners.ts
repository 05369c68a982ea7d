import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import { distributionPackageKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins/matcher.ts";

const keysOf = advisoryKeys(allDistributions);

/**
 * The name of the distribution package that owns the files of a record's package; undefined where none does.
 * @example
 * declare const records: readonly IndexRecord[];
 * const unowned = records.filter((record) => ownerOf(record) === undefined);
 */
export function ownerOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}

/** The ecosystems of advisories for the owner of a record's package; none where it has no owner, or no feed covers the owner. */
export function ecosystemsOfOwner(record: IndexRecord): readonly string[] {
  const { distribution, repositories } = record;
  return distribution === undefined || ownerOf(record) === undefined ? [] : keysOf(distribution, repositories);
}

/**
 * The record without its owner; the same object where it has none. Used where no loaded feed covers the distribution: with an owner, no
 * advisory at all would judge the package, so advisories of the language are used.
 */
export function withoutOwner(record: IndexRecord): IndexRecord {
  if (ownerOf(record) === undefined) return record;
  const { owners: _, distribution: __, ...rest } = record;
  return { ...rest, repositories: record.repositories.filter(({ key }) => key !== distributionPackageKey) };
}
