import type { Environment, IndexReport } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { ownerOf } from "./owners.ts";
import { withSameSoftware } from "./same-software.ts";

/**
 * The index records of an image: one per package environment, in the order of package ids and environments. A record contains everything
 * in the image that its verdicts depend on, including the packages that own its files.
 * @example
 * declare const report: IndexReport;
 * for (const { package: found, distribution } of indexRecords(report)) console.log(found.name, distribution?.did);
 */
export function indexRecords(report: IndexReport): readonly IndexRecord[] {
  const records = Object.keys(report.packages)
    .sort(byNumber)
    .flatMap((id) => {
      const found = report.packages[id];
      const environments = (Object.hasOwn(report.environments, id) && report.environments[id]) || [];
      return found === undefined ? [] : environments.map((environment) => recordOf(report, found, environment));
    });
  return withSameSoftware(withOwners(records));
}

/** Adds owners, which are packages of the distribution. Most images have few packages with an owner. */
function withOwners(records: readonly IndexRecord[]): readonly IndexRecord[] {
  const names = new Set(records.flatMap((record) => ownerOf(record) ?? []));
  if (names.size === 0) return records;
  const isOwner = (record: IndexRecord) =>
    names.has(record.package.name) && record.distribution !== undefined && ownerOf(record) === undefined;
  const byName = Map.groupBy(records.filter(isOwner), (record) => record.package.name);
  return records.map((record) => {
    const owners = byName.get(ownerOf(record) ?? "");
    return owners === undefined ? record : { ...record, owners };
  });
}

function recordOf(report: IndexReport, found: Package, environment: Environment): IndexRecord {
  const distribution = report.distributions[environment.distributionId ?? ""];
  const repositories = environment.repositoryIds.flatMap((id) => report.repositories[id] ?? []);
  return {
    package: found,
    packageDb: environment.packageDb,
    introducedIn: environment.introducedIn,
    distribution,
    repositories,
  };
}

/** Ids are decimal numbers; any other id is ordered by its text. */
function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}
