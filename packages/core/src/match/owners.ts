import { distributionPackageKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins/matcher.ts";

/**
 * The name of the distribution package that owns the files of a record's package; undefined where none does.
 * @example
 * declare const records: readonly IndexRecord[];
 * const unowned = records.filter((record) => ownerOf(record) === undefined);
 */
export function ownerOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}
