import type { IndexReport } from "./index-report.ts";
import { developmentScope, scopeKey } from "./package.ts";

/**
 * Whether a package of a report is only a development dependency, according to the lock files, at every place where it was found.
 * @example
 * declare const report: IndexReport;
 * const needed = Object.keys(report.packages).filter((id) => !isForDevelopment(report, id));
 */
export function isForDevelopment(
  { environments, repositories }: Pick<IndexReport, "environments" | "repositories">,
  packageId: string,
): boolean {
  const places = environments[packageId] ?? [];
  const isMarked = (id: string): boolean =>
    repositories[id]?.key === scopeKey && repositories[id].name === developmentScope;
  return places.length > 0 && places.every(({ repositoryIds }) => repositoryIds.some(isMarked));
}
