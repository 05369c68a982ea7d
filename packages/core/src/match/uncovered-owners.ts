import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import { distributionPackageKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins.ts";
import type { FeedCoverage } from "../ports.ts";

const keysOf = advisoryKeys(allDistributions);

/**
 * The records without the packages of the distribution that own their files, where no loaded feed speaks of the distribution: what is left to
 * its advisories would be judged by none. The packages of languages are then judged by the advisories of their languages.
 */
export function withoutUncoveredOwners(
  records: readonly IndexRecord[],
  feeds: readonly FeedCoverage[],
): readonly IndexRecord[] {
  const covered = new Set(feeds.flatMap((feed) => (feed.covered ? [feed.ecosystem] : [])));
  return records.map((record) => {
    const { distribution, repositories } = record;
    const isOwned = repositories.some(({ key }) => key === distributionPackageKey);
    if (!isOwned) return record;
    const keys = distribution === undefined ? [] : keysOf(distribution, repositories);
    if (keys.some((key) => covered.has(key))) return record;
    return { ...record, repositories: repositories.filter(({ key }) => key !== distributionPackageKey) };
  });
}
