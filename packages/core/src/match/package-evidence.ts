import type { VulnerabilityReport } from "./report.ts";

/** What matchers look at beside names and versions: the parts of a report that say where packages come from. */
export type ReportEvidence = Pick<VulnerabilityReport, "packages" | "environments" | "distributions" | "repositories">;

/** By package id, what a package is judged by beside its name and version: its release, its repositories and its source. Ids do not count. */
export function packageEvidence(report: ReportEvidence): ReadonlyMap<string, string> {
  const { packages, environments, distributions, repositories } = report;
  const found = Object.values(packages).map(({ id, source, cpe }) => {
    const places = (environments[id] ?? []).map(({ distributionId, repositoryIds }) => {
      const { did, versionId, versionCodeName } = distributions[distributionId ?? ""] ?? {};
      const from = repositoryIds.map((each) => {
        const { name, key, uri } = repositories[each] ?? {};
        return [name, key, uri, repositories[each]?.cpe];
      });
      return JSON.stringify([did, versionId, versionCodeName, from.map((each) => JSON.stringify(each)).sort()]);
    });
    return [id, JSON.stringify([source?.name, source?.version, cpe, [...new Set(places)].sort()])] as const;
  });
  return new Map(found);
}
