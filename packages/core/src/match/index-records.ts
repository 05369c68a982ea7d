import type { Environment, IndexReport } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import type { IndexRecord } from "../plugins.ts";

/**
 * The units of matching of an image: one per package environment, in the order of package ids and environments.
 * @example
 * declare const report: IndexReport;
 * for (const { package: found, distribution } of indexRecords(report)) console.log(found.name, distribution?.did);
 */
export function indexRecords(report: IndexReport): readonly IndexRecord[] {
  return Object.keys(report.packages)
    .sort(byNumber)
    .flatMap((id) => {
      const found = report.packages[id];
      const environments = report.environments[id] ?? [];
      return found === undefined ? [] : environments.map((environment) => recordOf(report, found, environment));
    });
}

function recordOf(report: IndexReport, found: Package, environment: Environment): IndexRecord {
  const distribution = report.distributions[environment.distributionId ?? ""];
  const repositories = environment.repositoryIds.flatMap((id) => report.repositories[id] ?? []);
  return {
    package: found,
    packageDb: environment.packageDb,
    introducedIn: environment.introducedIn,
    ...(distribution !== undefined && { distribution }),
    repositories,
  };
}

/** Ids are decimal numbers; any other id is ordered by its text. */
function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}
