import type { IndexReport } from "./index-report.ts";
import { developmentScope, scopeKey } from "./package.ts";

/**
 * Whether a project needs a package of a report only to be developed, wherever the report has seen it: lock files say so.
 * @example
 * declare const report: IndexReport;
 * const needed = Object.keys(report.packages).filter((id) => !isForDevelopment(report, id));
 */
export function isForDevelopment(
  { environments, repositories }: Pick<IndexReport, "environments" | "repositories">,
  packageId: string,
): boolean {
  const seen = environments[packageId] ?? [];
  const isMarked = (id: string): boolean =>
    repositories[id]?.key === scopeKey && repositories[id].name === developmentScope;
  return seen.length > 0 && seen.every(({ repositoryIds }) => repositoryIds.some(isMarked));
}
